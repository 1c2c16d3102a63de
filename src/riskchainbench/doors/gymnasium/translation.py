"""Between BrowserGym's words and ours: its action strings, its observation's keys."""

from __future__ import annotations

import ast
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from riskchainbench.browser.view import PageView
from riskchainbench.core.investigation import Action, ActionKind, Element, ElementKind

URL = "http://site.test/"
"""What every page's address reads; the real one would tell the episode's host."""

_ELEMENT, _TEXT = 1, 3
_TAGS = {
    ElementKind.LINK: "A",
    ElementKind.BUTTON: "BUTTON",
    ElementKind.SUBMIT: "BUTTON",
    ElementKind.FIELD: "INPUT",
    ElementKind.CHOICE: "SELECT",
}
_CLICKS = ("click", "dblclick")
_REPORTS = ("send_msg_to_user", "report_infeasible")


class UnknownActionError(ValueError):
    """An action string that stands for none of the nine actions."""


def parsed_action(text: str) -> tuple[Action, str | None]:
    """Return the action that a BrowserGym agent wrote, and the report it sent if it sent one.

    Our own JSON objects are understood as well. What is to be filled in is ignored: a field
    is filled with its declared value.

    Raises:
        UnknownActionError: it is none of them.
    """
    text = text.strip()
    if text.startswith("{"):
        try:
            return Action.model_validate_json(text), None
        except ValueError as error:
            raise UnknownActionError("not an action of the output contract") from error
    name, given = _call(text)
    if name in _REPORTS:
        return Action(action=ActionKind.STOP), str(given[0]) if given else ""
    return _translated(name, given), None


def _translated(name: str, given: list[Any]) -> Action:
    element = str(given[0]) if given else None
    if name in _CLICKS and element:
        return Action(action=ActionKind.CLICK, element=element)
    if name == "fill" and element:
        return Action(action=ActionKind.FILL, element=element)
    if name in ("check", "uncheck") and element:
        return Action(action=ActionKind.CHOOSE, element=element)
    if name == "select_option" and len(given) > 1:
        wanted = given[1][0] if isinstance(given[1], list) and given[1] else given[1]
        return Action(action=ActionKind.CHOOSE, element=element, option=str(wanted))
    if name == "press" and len(given) > 1 and given[1] == "Enter":
        return Action(action=ActionKind.SUBMIT, element=element)
    if name == "scroll" and len(given) > 1:
        down = isinstance(given[1], int | float) and given[1] >= 0
        return Action(action=ActionKind.SCROLL_DOWN if down else ActionKind.SCROLL_UP)
    if name == "go_back":
        return Action(action=ActionKind.BACK)
    raise UnknownActionError(f"{name}: no such action here")


def _call(text: str) -> tuple[str, list[Any]]:
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise UnknownActionError("not one call of an action")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return node.func.id, [ast.literal_eval(each) for each in given]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, UnknownActionError):
            raise
        raise UnknownActionError("not one call of an action") from error


def pixels(png: bytes | None, width: int, height: int) -> NDArray[np.uint8]:
    """Return a screenshot as an array of height, width and colors; black if there is none."""
    if png is None:
        return np.zeros((height, width, 3), dtype=np.uint8)
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


def accessibility_tree(view: PageView) -> dict[str, Any]:
    """Return the view in the form of Chromium's accessibility tree, controls by their ids."""
    children: list[dict[str, Any]] = [
        _node(f"t{number}", "StaticText", line)
        for number, line in enumerate(view.text.split("\n"))
        if line
    ]
    children += [_control(element) for element in view.elements]
    root = _node("root", "RootWebArea", view.title)
    root["childIds"] = [child["nodeId"] for child in children]
    return {"nodes": [root, *children]}


def document_snapshot(view: PageView) -> dict[str, Any]:
    """Return the view in the form of Chromium's snapshot of a document, controls by their ids."""
    strings: list[str] = []
    nodes: dict[str, Any] = {
        **{name: [] for name in ("nodeType", "nodeName", "nodeValue", "parentIndex")},
        "attributes": [],
        "contentDocumentIndex": {"index": [], "value": []},
    }

    def known(string: str) -> int:
        strings.append(string)
        return len(strings) - 1

    def add(kind: int, name: str, parent: int, text: str | None, **given: str) -> int:
        nodes["nodeType"].append(kind)
        nodes["nodeName"].append(known(name))
        nodes["nodeValue"].append(-1 if text is None else known(text))
        nodes["parentIndex"].append(parent)
        nodes["attributes"].append([known(word) for pair in given.items() for word in pair])
        return len(nodes["nodeName"]) - 1

    body = add(_ELEMENT, "BODY", -1, None)
    for line in view.text.split("\n"):
        add(_TEXT, "#text", add(_ELEMENT, "P", body, None), line)
    for element in view.elements:
        tag = _TAGS[element.kind]
        control = add(_ELEMENT, tag, body, None, bid=element.element_id, value=element.value)
        add(_TEXT, "#text", control, element.name)
    return {"documents": [{"nodes": nodes}], "strings": strings}


def element_properties(view: PageView) -> dict[str, dict[str, Any]]:
    """Return what BrowserGym adds to each control of the tree, by its id."""
    return {
        element.element_id: {
            "visibility": 1.0 if element.in_viewport else 0.0,
            "bbox": [box.x, box.y, box.width, box.height] if (box := element.box) else None,
            "clickable": not element.disabled,
            "set_of_marks": element.in_viewport,
        }
        for element in view.elements
    }


def _node(identity: str, role: str, name: str) -> dict[str, Any]:
    return {
        "nodeId": identity,
        "role": {"type": "role", "value": role},
        "name": {"type": "computedString", "value": name},
        "properties": [],
        "childIds": [],
    }


def _control(element: Element) -> dict[str, Any]:
    node = _node(element.element_id, element.role, element.name)
    node["browsergym_id"] = element.element_id
    if element.value:
        node["value"] = {"type": "string", "value": element.value}
    told: dict[str, Any] = {}
    if element.checked is not None:
        told["checked"] = element.checked
    if element.disabled:
        told["disabled"] = True
    if element.options:
        told["options"] = list(element.options)
    node["properties"] = [
        {"name": name, "value": {"type": "value", "value": value}} for name, value in told.items()
    ]
    return node


_OPENINGS = {
    "en": (
        "You investigate a website in a browser. Observe and act to gather evidence; then send "
        "your conclusion under the policy below, as the text of send_msg_to_user, which ends "
        "the episode."
    ),
    "zh-CN": (
        "你是一名网站调查员。请在浏览器中查看一个网站，通过观察与操作收集证据；然后依据下面的规范"
        "给出结论，作为 send_msg_to_user 的文本发出，本次调查随之结束。"
    ),
}


def goal_of(instruction: str, language: str) -> str:
    """Return the goal of an episode: the conclusion's instruction, opened as one that begins.

    The instruction's own first paragraph speaks of an investigation that is over.
    """
    _, _, rest = instruction.partition("\n\n")
    return f"{_OPENINGS[language]}\n\n{rest}"
