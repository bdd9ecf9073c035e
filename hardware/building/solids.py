"""Solids and their files: the few shapes that an enclosure is made of, STL and 3MF, the same bytes on every run.

Circles are polygons with rounded coordinates, so that nothing depends on a library's smoothing.
"""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
from manifold3d import CrossSection, Manifold, OpType
from numpy.typing import NDArray

SMALL, LARGE = 48, 96  # sides of a circle
LARGE_MM = 40.0  # from this diameter on
MESH_MM = 1e-4  # the rounding of corners
FIRST = (1980, 1, 1, 0, 0, 0)  # the date of every file in a 3MF: the first that a zip knows

Outline = list[tuple[float, float]]


class Mesh(NamedTuple):
    """A surface of triangles, counter-clockwise as seen from outside: corners in mm, and three corners for each."""

    corners: NDArray[np.float64]
    triangles: NDArray[np.int64]


def circle(diameter_mm: float, x_mm: float = 0.0, y_mm: float = 0.0) -> Outline:
    """A circle's outline."""
    sides = LARGE if diameter_mm >= LARGE_MM else SMALL
    turns = (2 * pi * n / sides for n in range(sides))
    return [(round(x_mm + diameter_mm / 2 * cos(a), 6), round(y_mm + diameter_mm / 2 * sin(a), 6)) for a in turns]


def rounded(width_mm: float, depth_mm: float, radius_mm: float) -> Outline:
    """The outline of a rectangle round the origin, with rounded corners."""
    x_mm, y_mm, sides = width_mm / 2 - radius_mm, depth_mm / 2 - radius_mm, SMALL // 4
    outline = []
    for quarter, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for n in range(sides + 1):
            a = pi / 2 * (quarter + n / sides)
            outline.append((round(right * x_mm + radius_mm * cos(a), 6), round(up * y_mm + radius_mm * sin(a), 6)))
    return outline


def prism(outline: Sequence[tuple[float, float]], bottom_mm: float, top_mm: float) -> Manifold:
    """An outline, drawn upwards."""
    section = CrossSection([np.array(outline)])
    return Manifold.extrude(section, top_mm - bottom_mm).translate((0.0, 0.0, bottom_mm))


def column(diameter_mm: float, x_mm: float, y_mm: float, bottom_mm: float, top_mm: float) -> Manifold:
    """An upright cylinder."""
    return prism(circle(diameter_mm, x_mm, y_mm), bottom_mm, top_mm)


def block(x0: float, y0: float, x1: float, y1: float, bottom_mm: float, top_mm: float) -> Manifold:
    """An upright box between two corners, in mm."""
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], bottom_mm, top_mm)


def union(solids: Sequence[Manifold]) -> Manifold:
    """All of them in one."""
    return Manifold.batch_boolean(solids, OpType.Add)


def mesh(solid: Manifold) -> Mesh:
    """A solid's surface with rounded coordinates, in a fixed order."""
    made = solid.to_mesh64()
    places = np.rint(made.vert_properties[:, :3] / MESH_MM).astype(np.int64)
    corners, which = np.unique(places, axis=0, return_inverse=True)
    triangles = which.reshape(-1)[made.tri_verts.astype(np.int64)]
    whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)  # rounding may close the narrowest ones
    triangles = triangles[whole]
    first = triangles.argmin(axis=1)  # each begins at its lowest corner
    triangles = np.take_along_axis(triangles, (first[:, None] + np.arange(3)) % 3, axis=1)
    triangles = triangles[np.lexsort(triangles.T[::-1])]
    used, numbers = np.unique(triangles, return_inverse=True)
    return Mesh(corners[used] * MESH_MM, numbers.reshape(-1, 3))


def stl(solid: Manifold) -> bytes:
    """A solid as binary STL, in mm."""
    surface = mesh(solid)
    points = surface.corners[surface.triangles]
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.rint(normals / np.where(lengths > 0, lengths, 1.0) / MESH_MM) * MESH_MM + 0.0  # no negative zero
    rows = np.zeros(len(points), dtype=[("numbers", "<f4", (4, 3)), ("none", "<u2")])
    rows["numbers"][:, 0], rows["numbers"][:, 1:] = normals, points
    return b"Lucky Paw, mm".ljust(80) + struct.pack("<I", len(points)) + rows.tobytes()


def threemf(parts: Mapping[str, Manifold]) -> bytes:
    """Parts in one 3MF, beside each other in the order given."""
    objects, items, right_mm = [], [], 0.0
    for number, (name, solid) in enumerate(parts.items(), start=1):
        surface = mesh(solid)
        low, high = surface.corners.min(axis=0), surface.corners.max(axis=0)
        corners = "".join(f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>\n' for x, y, z in surface.corners - low)
        triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in surface.triangles)
        objects.append(
            f'<object id="{number}" type="model" name="{name}"><mesh>\n<vertices>\n{corners}</vertices>\n'
            f"<triangles>\n{triangles}</triangles>\n</mesh></object>\n"
        )
        items.append(f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {right_mm:.4f} 0 0"/>\n')
        right_mm += float(high[0] - low[0]) + 10.0
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    package = "http://schemas.openxmlformats.org/package/2006"
    model = (
        f'{head}<model unit="millimeter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        f"<resources>\n{''.join(objects)}</resources>\n<build>\n{''.join(items)}</build>\n</model>\n"
    )
    types = (
        f'{head}<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
    )
    relations = (
        f'{head}<Relationships xmlns="{package}/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" '
        'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
    )
    files = {"[Content_Types].xml": types, "_rels/.rels": relations, "3D/3dmodel.model": model}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            about = zipfile.ZipInfo(name, FIRST)
            about.compress_type, about.create_system, about.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(about, text.encode(), compresslevel=9)
    return made.getvalue()
