"""What the rows do: a command of Larder's, and what a peer does at the same work."""

from __future__ import annotations

import re
from pathlib import Path

from .measure import Cost
from .settings import Setting, Sides, settle

EDITED = 1000
"""The files that a row about adopting edits changes."""


def start(setting: Setting) -> Sides:
    larder = setting.data.programs.larder
    return Sides(lambda _: setting.runner.run([larder, "version"]))


def listing(*words: str):
    """A command that changes nothing, beside `git status`."""

    def sides(setting: Setting) -> Sides:
        return setting.beside(setting.larder(*words), setting.git("status", "--short"))

    return sides


def show(setting: Setting) -> Sides:
    ours = setting.larder("stock", "show", setting.item.name)
    return setting.beside(ours, setting.git("status", "--short"))


def show_alone(setting: Setting) -> Sides:
    return Sides(lambda _: setting.runner.run(setting.larder("stock", "show", setting.item.name)))


def consume(setting: Setting) -> Sides:
    """Uses a little of an item; the peer commits the same file with another number in it."""
    path = setting.plain / setting.item.path

    def peer(number: int) -> Cost:
        change(path, "quantityFullStock", str(1000 + number))
        return setting.runner.run(
            setting.git("add", setting.item.path), setting.git("commit", "--quiet", "-m", "use 1")
        )

    return Sides(consume_alone(setting).ours, peer)


def consume_alone(setting: Setting) -> Sides:
    ours = setting.larder("stock", "consume", setting.item.name, "0.01")
    return Sides(lambda _: setting.runner.run(ours))


def report(setting: Setting) -> Sides:
    page = setting.data.work / "report.html"
    return Sides(lambda _: setting.runner.run(setting.larder("report", "-o", page)))


def spending(setting: Setting) -> Sides:
    return Sides(lambda _: setting.runner.run(setting.larder("spending")))


def first_look(setting: Setting) -> Sides:
    """The list with nothing cached, as after a clone; the peer reads all files."""
    cat = ["find", setting.ours / "stock", setting.ours / "batches", setting.ours / "products",
           setting.ours / "shopping", setting.ours / "receipts", setting.ours / "locations",
           "-name", "*.json", "-exec", "cat", "{}", "+"]  # fmt: skip

    def ours(_: int) -> Cost:
        # Without the folder, reading would not write the cache.
        (setting.ours / ".git" / "larder" / "cache").unlink(missing_ok=True)
        delete = ["git", "-C", setting.ours, "update-ref", "-d", "refs/larder/adopted"]
        setting.runner.run(delete)
        return setting.runner.run(setting.larder("stock", "list"))

    return Sides(ours, lambda _: setting.runner.run(cat))


def adopt_edits(setting: Setting) -> Sides:
    """Adopts files that somebody edited; the peer commits the same files."""

    def ours(number: int) -> Cost:
        edit(setting.ours, number)
        return setting.runner.run(setting.larder("adopt"))

    def peer(number: int) -> Cost:
        edit(setting.plain, number)
        return setting.runner.run(setting.git("commit", "--quiet", "-a", "-m", "edits"))

    return Sides(ours, peer)


def edit(folder: Path, number: int) -> None:
    for path in sorted((folder / "stock").glob("*.json"))[:EDITED]:
        change(path, "category", f'"Shelf {number}"')
    settle()


def adopt_new(count: int):
    """Adopts a household's first files, as people write them."""

    def sides(setting: Setting) -> Sides:
        def fresh(source: Path) -> Path:
            folder = setting.data.copy(source, "new")
            write_items(folder / "stock", count)
            settle()
            return folder

        def ours(_: int) -> Cost:
            folder = fresh(setting.ours)
            return setting.runner.run([setting.data.programs.larder, "-C", folder, "adopt"])

        def peer(_: int) -> Cost:
            git = ["git", "-C", fresh(setting.plain)]
            return setting.runner.run(
                [*git, "add", "-A"], [*git, "commit", "--quiet", "-m", "files"]
            )

        return Sides(ours, peer)

    return sides


def write_items(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(count):
        (folder / f"item-{number:05}.json").write_text(
            f'{{ "name": "Item {number:05}", "category": "Shelf {number % 40}",\n'
            f'  "quantityInStock": {number % 9 + 3}, "quantityFullStock": 6 }}\n'
        )


def sync_nothing(setting: Setting) -> Sides:
    """A sync that finds nothing; the peer fetches from the same kind of remote."""
    for folder in (setting.ours, setting.plain):
        hub = folder.with_name(folder.name + "-hub.git")
        setting.data.set_aside(hub)
        setting.runner.run(["git", "clone", "--quiet", "--bare", folder, hub])
        setting.runner.run(["git", "-C", folder, "remote", "add", "origin", hub])
    setting.runner.run(setting.larder("sync"))
    setting.runner.run(setting.git("fetch", "--quiet"))
    return setting.beside(setting.larder("sync"), setting.git("fetch", "--quiet"))


def log_item(setting: Setting) -> Sides:
    """An item's commits, those of its batches included, so git looks for the files of both."""
    peer = setting.git("log", "-20", "--", *setting.files_of_item)
    return setting.beside(setting.larder("log", setting.item.name, "--limit", "20"), peer)


def log_last(setting: Setting) -> Sides:
    return setting.beside(setting.larder("log", "--limit", "20"), setting.git("log", "-20"))


def check(setting: Setting) -> Sides:
    return Sides(lambda _: setting.runner.run(setting.larder("check")))


def change(path: Path, key: str, value: str) -> None:
    """Changes the value of a key in a file, as an editor would."""
    text = path.read_text()
    path.write_text(re.sub(rf'("{key}": ).*?(,?)$', rf"\g<1>{value}\g<2>", text, 1, re.MULTILINE))
