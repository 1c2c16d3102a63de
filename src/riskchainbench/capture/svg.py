"""Drawings (SVG) without scripts and metadata, with every reference rewritten.

Read as XML, since that is how browsers read them: names may have any prefix, and an address may
be written in character references or in CSS escapes.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_GONE = frozenset({"script", "foreignobject", "metadata", "handler", "listener", "iframe"})
_ANIMATIONS = frozenset({"animate", "set", "animatetransform", "animatemotion"})
_REFERRING = frozenset({"href", "src"})


def rewrite_svg(
    text: str,
    reference: Callable[[str], str | None],
    css: Callable[[str], str],
    words: Callable[[str], str],
) -> str | None:
    """Return a drawing without what runs or tells of its making; None where it is no XML.

    Args:
        text: of the file.
        reference: gives the path of what an attribute refers to, or None for nothing.
        css: rewrites a style sheet, or an attribute that is read like one.
        words: masks text.
    """
    try:
        root = ElementTree.fromstring(text)
        namespace, name = _split(root.tag)
        root.tag = name
        _Drawing(reference, css, words).clean(root)
        if namespace:
            root.set("xmlns", namespace)
        return ElementTree.tostring(root, encoding="unicode")
    except (ElementTree.ParseError, RecursionError, ValueError):
        return None


class _Drawing:
    def __init__(
        self,
        reference: Callable[[str], str | None],
        css: Callable[[str], str],
        words: Callable[[str], str],
    ) -> None:
        self._reference, self._css, self._words = reference, css, words

    def clean(self, node: Element) -> None:
        """Rewrite an element and all below it."""
        self._attributes(node)
        if node.tag.lower() == "style":
            node[:] = []
            node.text = self._css(node.text or "")
        elif node.text:
            node.text = self._words(node.text)
        for child in list(node):
            child.tail = self._words(child.tail) if child.tail else None
            namespace, name = _split(child.tag)
            if namespace not in ("", _SVG) or _goes(child, name.lower()):
                _take_out(node, child)
                continue
            child.tag = name
            self.clean(child)

    def _attributes(self, node: Element) -> None:
        given = list(node.attrib.items())
        node.attrib.clear()
        for written, value in given:
            namespace, name = _split(written)
            new = self._value(namespace, name, value)
            if new is not None:
                node.set(f"{{{_XML}}}{name}" if namespace == _XML else name, new)

    def _value(self, namespace: str, name: str, value: str) -> str | None:
        low = name.lower()
        if low in _REFERRING and namespace in ("", _XLINK):
            return value if value.startswith("#") else self._reference(value)
        if low == "base" or low.startswith("on") or namespace not in ("", _XML):
            return None
        if low == "style" or ("(" in value and ("url" in value.lower() or "\\" in value)):
            return self._css(value)
        return value


def _goes(node: Element, name: str) -> bool:
    if name in _ANIMATIONS:
        moved = _split(node.get("attributeName", ""))[1].rpartition(":")[2].lower()
        return moved in _REFERRING or moved.startswith("on")
    return name in _GONE


def _take_out(node: Element, child: Element) -> None:
    """Take out a child, but for the text behind it."""
    place = list(node).index(child)
    if child.tail:
        if place:
            node[place - 1].tail = (node[place - 1].tail or "") + child.tail
        else:
            node.text = (node.text or "") + child.tail
    node.remove(child)


def _split(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition("}")
    return namespace.lstrip("{"), local
