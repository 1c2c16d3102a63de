"""Decorative pictures without words: landscapes, goods, screens, charts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from riskchainbench.websites.families import Palette

_OPEN = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'


def _svg(width: int, height: int, parts: list[str]) -> str:
    return _OPEN.format(w=width, h=height) + "".join(parts) + "</svg>"


def scene(palette: Palette, rng: Random, width: int, height: int) -> str:
    """Return a decorative picture of one of several kinds."""
    draw = rng.choice(_SCENES)
    back = f'<rect width="{width}" height="{height}" fill="{palette.line}"/>'
    return _svg(width, height, [back, *draw(palette.accent, rng, width, height)])


def _hills(ink: str, rng: Random, width: int, height: int) -> list[str]:
    x, y = rng.randrange(width // 5, width * 4 // 5), rng.randrange(height // 5, height // 2)
    parts = [f'<circle cx="{x}" cy="{y}" r="{height // 7}" fill="{ink}" opacity=".35"/>']
    for step, opacity in enumerate((0.25, 0.45, 0.8)):
        top = height * (0.45 + 0.17 * step)
        a, b = rng.randrange(-height // 4, height // 4), rng.randrange(-height // 4, height // 4)
        parts.append(
            f'<path d="M0 {top:.0f}C{width // 3} {top - a:.0f} {width * 2 // 3} {top + b:.0f} '
            f'{width} {top - a // 2:.0f}V{height}H0Z" fill="{ink}" opacity="{opacity}"/>'
        )
    return parts


def _street(ink: str, rng: Random, width: int, height: int) -> list[str]:
    parts = []
    x = -rng.randrange(0, 20)
    while x < width:
        wide, tall = rng.randrange(26, 62), rng.randrange(height // 4, height * 4 // 5)
        top, opacity = height - tall, rng.choice((0.3, 0.45, 0.65))
        roof = f"M{x} {top}l{wide // 2} -{wide // 3}l{wide - wide // 2} {wide // 3}Z"
        parts.append(
            f'<g fill="{ink}" opacity="{opacity}"><path d="{roof}"/>'
            f'<rect x="{x}" y="{top}" width="{wide}" height="{tall}"/></g>'
        )
        windows = "".join(
            f"M{x + 7 + 14 * column} {top + 9 + 18 * row}h6v8h-6Z"
            for row in range(max(1, tall // 20))
            for column in range(max(1, (wide - 8) // 14))
        )
        parts.append(f'<path d="{windows}" fill="#ffffff" opacity=".4"/>')
        x += wide + rng.randrange(2, 7)
    return parts


def _waves(ink: str, rng: Random, width: int, height: int) -> list[str]:
    parts = []
    for step in range(6):
        y, swing = height * (0.25 + 0.14 * step), rng.randrange(6, height // 8 + 7)
        half = width // 4
        parts.append(
            f'<path d="M0 {y:.0f}q{half // 2} -{swing} {half} 0t{half} 0t{half} 0t{half + 4} 0'
            f'V{height}H0Z" fill="{ink}" opacity="{0.12 + 0.1 * step:.2f}"/>'
        )
    return parts


def _leaves(ink: str, rng: Random, width: int, height: int) -> list[str]:
    parts = []
    for _ in range(9):
        x, size = rng.randrange(width), rng.randrange(height // 5, height // 2)
        turn, opacity = rng.randrange(-40, 41), rng.choice((0.25, 0.4, 0.6))
        leaf = f"M0 0C{size // 2} -{size // 3} {size // 3} -{size} 0 -{size * 4 // 3}"
        leaf += f"C-{size // 3} -{size} -{size // 2} -{size // 3} 0 0Z"
        place = f"translate({x} {height + 4})rotate({turn})"
        parts.append(f'<path transform="{place}" d="{leaf}" fill="{ink}" opacity="{opacity}"/>')
    return parts


def _shapes(ink: str, rng: Random, width: int, height: int) -> list[str]:
    side = height // 3
    parts = []
    for x in range(0, width, side):
        for y in range(0, height, side):
            opacity = rng.choice((0.0, 0.15, 0.35, 0.6))
            shape = rng.choice(
                (
                    f"M{x} {y}h{side}v{side}Z",
                    f"M{x} {y}h{side}A{side} {side} 0 0 1 {x} {y + side}Z",
                    f"M{x} {y + side}A{side} {side} 0 0 1 {x + side} {y}v{side}Z",
                )
            )
            parts.append(f'<path d="{shape}" fill="{ink}" opacity="{opacity}"/>')
    return parts


Scene = Callable[[str, Random, int, int], list[str]]
_SCENES: tuple[Scene, ...] = (_hills, _street, _waves, _leaves, _shapes)


def goods(palette: Palette, rng: Random) -> str:
    """Return a picture of some article on a shelf, 240 by 160 pixels."""
    ink, pale = palette.accent, palette.line
    body = rng.choice(
        (
            (
                '<rect x="88" y="50" width="64" height="82" rx="8"/><rect x="98" y="34" width="44" '
                'height="20" rx="4"/>'
            ),
            (
                '<path d="M82 62h76l-8 70h-60Z"/><path d="M98 62q0-30 22-30t22 30" fill="none" '
                f'stroke="{ink}" stroke-width="6"/>'
            ),
            (
                '<rect x="76" y="48" width="88" height="84" rx="3"/><path d="M76 48l16-14h88l-16 '
                '14Z" opacity=".6"/><path d="M164 48l16-14v84l-16 14Z" opacity=".75"/>'
            ),
            '<path d="M106 30h28v26q22 12 22 40v36h-72v-36q0-28 22-40Z"/>',
            '<path d="M72 44h46v88h-46ZM122 44h46v88h-46Z"/>',
            (
                '<ellipse cx="120" cy="84" rx="50" ry="48"/><ellipse cx="120" cy="84" rx="22" '
                f'ry="20" fill="{pale}"/>'
            ),
        )
    )
    label = '<path d="M100 84h40v22h-40Z" fill="#ffffff" opacity=".55"/>'
    return _svg(
        240,
        160,
        [
            f'<rect width="240" height="160" fill="{pale}"/>',
            f'<ellipse cx="120" cy="136" rx="78" ry="9" fill="{palette.muted}" opacity=".35"/>',
            f'<g fill="{ink}">{body}</g>{label}',
        ],
    )


def screen(palette: Palette, rng: Random) -> str:
    """Return a picture of a program on a small screen, 150 by 270 pixels."""
    ink, line = palette.accent, palette.line
    parts = [
        f'<rect width="150" height="270" rx="18" fill="{palette.text}"/>',
        f'<rect x="7" y="9" width="136" height="252" rx="12" fill="{palette.surface}"/>',
        f'<path d="M7 21a12 12 0 0 1 12-12h112a12 12 0 0 1 12 12v26H7Z" fill="{ink}"/>',
        (
            f'<rect x="18" y="26" width="{rng.randrange(40, 80)}" height="8" rx="4" '
            'fill="#ffffff" opacity=".8"/>'
        ),
    ]
    if rng.random() < 0.5:
        parts += [
            f'<rect x="{18 + 60 * (n % 2)}" y="{60 + 62 * (n // 2)}" width="54" height="54" rx="8" '
            f'fill="{ink}" opacity="{rng.choice((0.2, 0.35, 0.5))}"/>'
            for n in range(6)
        ]
    else:
        parts += [
            f'<circle cx="30" cy="{74 + 34 * n}" r="10" fill="{ink}" opacity=".4"/>'
            f'<rect x="48" y="{66 + 34 * n}" width="{rng.randrange(46, 84)}" height="6" rx="3" '
            f'fill="{palette.muted}"/><rect x="48" y="{78 + 34 * n}" '
            f'width="{rng.randrange(30, 70)}" height="5" rx="2" fill="{line}"/>'
            for n in range(5)
        ]
    parts.append(f'<rect x="55" y="250" width="40" height="4" rx="2" fill="{palette.muted}"/>')
    return _svg(150, 270, parts)


def chart(palette: Palette, rng: Random, width: int, height: int) -> str:
    """Return a line that goes up and down, without scale or words."""
    steps = 14
    level, points = height * 0.6, []
    for step in range(steps + 1):
        level = min(max(level + rng.randrange(-height // 6, height // 6 + 1), 14), height - 14)
        points.append(f"{step * width / steps:.0f} {level:.0f}")
    path = "L".join(points)
    grid = "".join(f"M0 {height * n // 4}H{width}" for n in (1, 2, 3))
    return _svg(
        width,
        height,
        [
            f'<path d="{grid}" stroke="{palette.line}"/>',
            f'<path d="M{path}V{height}H0Z" fill="{palette.accent}" opacity=".16"/>',
            f'<path d="M{path}" fill="none" stroke="{palette.accent}" stroke-width="2.5"/>',
        ],
    )
