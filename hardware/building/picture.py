"""Solids drawn as a picture: flat shades, inked edges, PNG; a small renderer, the same bytes on every run."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.building.solids import mesh

Colour = tuple[int, int, int]
Floats = NDArray[np.float64]

PAPER: Colour = (250, 248, 243)
INK: Colour = (38, 40, 46)
WIDE_PX, HIGH_PX, FINER = 1200, 900, 2  # of a picture; drawn so many times finer, for smooth lines
AWAY = 6.0  # distance of the eye, in sizes of the scene
MARGIN = 1.06
BUNCH = 2_000_000  # pixels at a time
SHARP = cos(radians(24))  # where two faces meet at a larger angle, an edge is drawn
LIGHT = (-0.4, 0.62, 0.68)  # where it comes from, seen by the eye: right, up, towards it


class Thing(NamedTuple):
    """A solid in its colour; within one thing only sharp edges are drawn."""

    solid: Manifold
    colour: Colour


def picture(things: Sequence[Thing], turn_deg: float, down_deg: float) -> bytes:
    """Things as PNG, seen when the table is turned and the eye looks down at it, both in degrees."""
    return _png(_drawn(things, turn_deg, down_deg))


def _drawn(things: Sequence[Thing], turn_deg: float, down_deg: float) -> NDArray[np.uint8]:
    """The things as seen when the table is turned and the eye looks down at them, with flat shades and inked edges."""
    wide, high = WIDE_PX * FINER, HIGH_PX * FINER
    meshes = [mesh(thing.solid) for thing in things]
    view = _view(turn_deg, down_deg)
    spots = [_times(surface.corners, view) for surface in meshes]
    every = np.concatenate(spots)
    middle = (every.min(axis=0) + every.max(axis=0)) / 2
    away = AWAY * float(np.abs(every - middle).max())
    seen = [_seen(spot - middle, away) for spot in spots]
    flat = np.concatenate(seen)[:, :2]
    low, size = flat.min(axis=0), np.ptp(flat, axis=0)
    scale = min(wide / size[0], high / size[1]) / MARGIN
    shift = np.array([wide, high]) / 2 - (low + size / 2) * scale
    depth, faces = np.full(high * wide, np.inf), np.full(high * wide, -1, dtype=np.int64)  # by pixel: distance and face
    facings, owners = [], []  # of each face: its normal, and its thing
    count = 0
    for number, surface in enumerate(meshes):
        placed = np.column_stack((_snapped(seen[number][:, :2] * scale + shift, 1 / 256), seen[number][:, 2]))
        placed = placed[surface.triangles]
        corners = spots[number][surface.triangles]
        facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = _area(placed)
        front = area < -1e-3  # rows go down: triangles that face the eye are clockwise
        facings.append(_snapped(facing[front] / np.linalg.norm(facing[front], axis=1, keepdims=True), 1e-6))
        owners.append(np.full(len(facings[-1]), number))
        for pixels, far, face in _filled(placed[front], area[front], wide, high):
            np.minimum.at(depth, pixels, far)
            nearest = far == depth[pixels]
            faces[pixels[nearest]] = count + face[nearest]
        count += len(facings[-1])
    facing, owner, seen_faces = np.concatenate(facings), np.concatenate(owners), faces.reshape(high, wide)
    light = np.array(LIGHT) / np.linalg.norm(LIGHT)
    shade = 0.6 + 0.42 * np.clip(_snapped((facing * light).sum(axis=-1), 1e-4), -0.4, 1.0)
    colours = np.array([thing.colour for thing in things], dtype=np.float64)[owner] * shade[:, None]
    picture = np.concatenate((colours, [PAPER]))[seen_faces]  # where nothing is seen: the last
    picture[_edges(seen_faces, facing, owner)] = INK
    finer = picture.reshape(HIGH_PX, FINER, WIDE_PX, FINER, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(np.rint(finer), 0, 255), dtype=np.uint8)


def _snapped(numbers: Floats, step: float) -> Floats:
    """Numbers on a grid, so that processors that differ in the last bit agree."""
    return np.asarray(np.rint(numbers / step) * step)


def _times(spots: Floats, axes: Floats) -> Floats:
    """Places along other axes; summed in a fixed order, which a matrix product does not guarantee."""
    return np.asarray((spots[:, None, :] * axes).sum(axis=-1))


def _view(turn_deg: float, down_deg: float) -> Floats:
    """From the table's axes to the eye's: right, up, towards it."""
    turn, down = radians(turn_deg), radians(down_deg)
    around = np.array([[cos(turn), sin(turn), 0.0], [-sin(turn), cos(turn), 0.0], [0.0, 0.0, 1.0]])
    tilt = np.array([[1.0, 0.0, 0.0], [0.0, sin(down), cos(down)], [0.0, -cos(down), sin(down)]])
    return np.array([[sum(a * b for a, b in zip(row, column, strict=True)) for column in around.T] for row in tilt])


def _seen(spots: Floats, away: float) -> Floats:
    """Places in the picture, rows downwards, with the negative inverse distance, which is linear there."""
    distance = away - spots[:, 2]
    return np.column_stack((spots[:, 0] * away / distance, -spots[:, 1] * away / distance, -away / distance))


def _area(triangles: Floats) -> Floats:
    """Twice the area of triangles in the picture; its sign says which side is seen."""
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def _filled(
    triangles: Floats, area: Floats, wide: int, high: int
) -> Iterator[tuple[NDArray[np.int64], Floats, NDArray[np.int64]]]:
    """The pixels that triangles cover, how far each is away there, and which triangle it is, in bunches."""
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    across = (one[:, 2] * other[:, 1] - one[:, 1] * other[:, 2]) / area
    along = (one[:, 0] * other[:, 2] - one[:, 2] * other[:, 0]) / area
    top = np.clip(np.ceil(triangles[:, :, 1].min(axis=1) - 0.5), 0, high).astype(np.int64)
    rows = np.clip(np.ceil(triangles[:, :, 1].max(axis=1) - 0.5), 0, high).astype(np.int64) - top
    faces = np.repeat(np.arange(len(rows)), rows)
    row = np.arange(rows.sum()) - np.repeat(rows.cumsum() - rows, rows) + top[faces]
    left, right = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        ends = triangles[:, (a, b)]
        ends = np.where((ends[:, :1, 1:2] > ends[:, 1:, 1:2]), ends[:, ::-1], ends)[
            faces
        ]  # the same rounding on both sides
        low, deep = ends[:, 0], ends[:, 1] - ends[:, 0]
        share = (row + 0.5 - low[:, 1]) / np.where(deep[:, 1] > 0, deep[:, 1], 1.0)
        meets = (share >= 0) & (share <= 1) & (deep[:, 1] > 0)
        x = low[:, 0] + share * deep[:, 0]
        left, right = np.where(meets, np.minimum(left, x), left), np.where(meets, np.maximum(right, x), right)
    start = np.clip(np.ceil(np.where(left <= right, left, 0.0) - 0.5), 0, wide).astype(np.int64)
    stop = np.clip(np.ceil(np.where(left <= right, right, 0.0) - 0.5), 0, wide).astype(np.int64)
    many = stop - start
    bunch = many.cumsum() // BUNCH
    for number in np.unique(bunch):
        here = bunch == number
        counts = many[here]
        spans = np.repeat(np.flatnonzero(here), counts)
        column = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts) + start[spans]
        face = faces[spans]
        begin = triangles[face, 0]
        far = begin[:, 2] + across[face] * (column + 0.5 - begin[:, 0]) + along[face] * (row[spans] + 0.5 - begin[:, 1])
        yield row[spans] * wide + column, far, face


def _edges(faces: NDArray[np.int64], facing: Floats, owner: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where things or sharp faces meet; -1 is where nothing is seen."""
    inked = np.zeros(faces.shape, dtype=bool)
    owners = np.append(owner, -1)
    for axis in (0, 1):
        before, behind = _halves(axis)
        unlike = faces[before] != faces[behind]
        one, other = faces[before][unlike], faces[behind][unlike]
        unlike[unlike] = (owners[one] != owners[other]) | ((facing[one] * facing[other]).sum(axis=-1) < SHARP)
        inked[before] |= unlike
        inked[behind] |= unlike
    return inked


def _halves(axis: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    whole = slice(None)
    if axis == 0:
        return (slice(None, -1), whole), (slice(1, None), whole)
    return (whole, slice(None, -1)), (whole, slice(1, None))


def _png(picture: NDArray[np.uint8]) -> bytes:
    """Pixels as PNG."""
    high, wide, _ = picture.shape
    change = picture.copy()
    change[1:] -= picture[:-1]  # each row as its difference from the one above: filter 2
    rows = np.concatenate((np.full((high, 1), 2, dtype=np.uint8), change.reshape(high, -1)), axis=1)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    data = zlib.compress(rows.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
