"""Media types, and the shapes of what is answered in them."""

from .errors import ApiError, not_singular

JSON = "application/json; charset=utf-8"
MEDIA_TYPES = {
    "*/*": ("array", JSON),
    "application/*": ("array", JSON),
    "application/json": ("array", JSON),
    "application/vnd.pgrst.array+json": (
        "array",
        "application/vnd.pgrst.array+json; charset=utf-8",
    ),
    "application/vnd.pgrst.object+json": (
        "object",
        "application/vnd.pgrst.object+json; charset=utf-8",
    ),
    "text/csv": ("csv", "text/csv; charset=utf-8"),
}


def negotiate(request):
    accepted = request.headers.get("accept", "*/*")
    for wanted in accepted.split(","):
        kind, *options = (part.strip().lower() for part in wanted.split(";"))
        if kind in MEDIA_TYPES:
            shape, media_type = MEDIA_TYPES[kind]
            return shape + (" stripped" if "nulls=stripped" in options else ""), media_type
    raise ApiError(406, "PGRST107", f"None of these media types are available: {accepted}")


def shape_of_call(function, shape):
    if function.returns_void:
        return "none"
    if shape == "csv":
        return shape
    if not function.returns_rows:
        return "scalars" if function.returns_set and not shape.startswith("object") else "scalar"
    return shape if function.returns_set else shape.replace("array", "object")


def check_singular(shape, answer):
    if shape.startswith("object") and answer.count != 1:
        raise not_singular(answer.count)
