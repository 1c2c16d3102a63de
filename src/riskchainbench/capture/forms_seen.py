"""Reads the forms of a captured page and points them at their own website.

Inputs are renamed where their names could not stand in a declared transition.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from riskchainbench.capture.masking import Masker
from riskchainbench.capture.references import FieldSeen, FormSeen, References
from riskchainbench.capture.urls import absolute
from riskchainbench.core.text import folded

ORIGINAL = "data-k2"
"""Holds an input's original name while its page is rewritten."""

ACTED = "data-k3"
"""Marks a button whose own action was rewritten."""

_CONTROLS = "input, select, textarea, button"
_TABLE = frozenset({"table", "tbody", "thead", "tfoot", "tr"})


class FormReader:
    """Reads and rewrites the forms of one page.

    Args:
        site: answers with paths and names.
        masker: of the website; values are masked like any text.
        url: of the page.
        base: what the page's references are resolved against.
        encoding: of the page.
    """

    def __init__(
        self, site: References, masker: Masker, url: str, base: str, encoding: str
    ) -> None:
        self._site, self._masker = site, masker
        self._url, self._base, self._encoding = url, base, encoding

    def rewrite(self, tree: LexborHTMLParser) -> None:
        """Rename every input and give every form a path of the website."""
        for node in tree.css("input[name], select[name], textarea[name], button[name]"):
            name = node.attributes.get("name") or ""
            if name:
                node.attrs["name"] = self._site.field_name(name)
                node.attrs[ORIGINAL] = name
        for node in tree.css("form"):
            self._form(tree, node)
        for node in tree.css("[formaction]"):
            if ACTED not in node.attributes:  # the button of no form
                node.attrs[ACTED] = ""
                node.attrs["formaction"] = self._path("GET", node.attributes["formaction"], ())
            else:
                del node.attrs[ACTED]
        for node in tree.css(f"[{ORIGINAL}]"):
            del node.attrs[ORIGINAL]

    def _form(self, tree: LexborHTMLParser, form: LexborNode) -> None:
        method = (form.attributes.get("method") or "get").strip().upper()
        if method == "DIALOG":
            return
        method = method if method == "POST" else "GET"
        inside = _controls_of(form)
        owner = form.attributes.get("id")
        if owner and '"' not in owner and "\\" not in owner:
            known = {node.mem_id for node in inside}
            inside += [n for n in tree.css(f'[form="{owner}"]') if n.mem_id not in known]
        fields = tuple(f for node in inside if (f := self._field(node)) is not None)
        action = form.attributes.get("action")
        form.attrs["method"] = method.lower()
        form.attrs["action"] = self._path(method, action, fields)
        for node in inside:
            other = node.attributes.get("formaction")
            if other is not None:
                said = (node.attributes.get("formmethod") or method).upper()
                node.attrs[ACTED] = ""
                node.attrs["formaction"] = self._path(
                    "POST" if said == "POST" else "GET", other, fields
                )

    def _path(self, method: str, action: str | None, fields: tuple[FieldSeen, ...]) -> str:
        found = absolute(self._base if action else self._url, action or "", self._encoding)
        url = found[0] if found else self._url
        return self._site.form(FormSeen(method, url, fields))

    def _field(self, node: LexborNode) -> FieldSeen | None:
        original = node.attributes.get(ORIGINAL)
        kind = (node.attributes.get("type") or "text").strip().lower()
        if node.tag == "button":
            kind = "submit"
        if not original or kind in ("reset", "button"):
            return None
        options: tuple[str, ...] = ()
        value = node.attributes.get("value") or ""
        if node.tag == "select":
            kind = "select"
            options = tuple(_option(option) for option in node.css("option"))
            value = options[0] if options else ""
        elif node.tag == "textarea":
            kind, value = "textarea", node.text()
        return FieldSeen(
            original,
            node.attributes.get("name") or "",
            kind,
            self._masker.text(value),
            "required" in node.attributes,
            tuple(map(self._masker.text, options)),
        )


def _option(node: LexborNode) -> str:
    value = node.attributes.get("value")
    return folded(node.text()) if value is None else value


def _controls_of(form: LexborNode) -> list[LexborNode]:
    """Return a form's controls; one that stands between table rows holds none of its own."""
    inside = list(form.css(_CONTROLS))
    parent = form.parent
    if inside or parent is None or parent.tag not in _TABLE:
        return inside
    owned = {node.mem_id for other in parent.css("form") for node in other.css(_CONTROLS)}
    return [node for node in parent.css(_CONTROLS) if node.mem_id not in owned]
