"""All texts of the page are in its tables, in every language, and nowhere else."""

import re
import unittest
from pathlib import Path

from .support import PhoneTest

PAGE = Path(__file__).resolve().parents[3] / "Sources/LarderServe/Page"
#: Where a table has words of its own language, and not a text for each name.
OWN = {"units", "days.near"}
#: What German says as English does.
SAME = {
    "Name", "Code", "Larder", "Tailscale", "Start", "Note", "Filter", "kg", "l", "g", "ml", "Info", "Normal",
}

#: Every text of a table by its path: a text, or what a function makes of plain inputs.
TEXTS = """
Promise.all(['en', 'de'].map((code) => Promise.all([import(`./${code}.js`), import(`./${code}-screens.js`)]))).then((languages) => languages.map(([one, more]) => {
  const found = {};
  const read = (value, path) => {
    if (%s.includes(path)) return;
    if (typeof value === 'function') found[path] = ['function', `${value}`];
    else if (typeof value === 'string') found[path] = ['string', value];
    else if (Array.isArray(value)) value.forEach((one, index) => read(one, `${path}[${index}]`));
    else for (const key in value) read(value[key], path ? `${path}.${key}` : key);
  };
  for (const table of [one, more]) read(Object.values(table)[0], '');
  return found;
}))
"""
#: The tables, what the worker fetches, and the words that people type for units.
NO_TEXTS = {"en.js", "de.js", "en-screens.js", "de-screens.js", "sw.js", "amounts.js"}
#: What is between quotes or backticks in a line, without what is put into it.
LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`")
#: Literals that nobody reads: names of classes, selectors, shapes of elements, types, policies, and formats.
UNREAD = re.compile(r"^(application/json|Enter|@media|Bearer |[a-z]+\([a-z0-9:. -]+\)|[\w.#\[\]*=:(),>+~\-]+( [\w.#\[\]*=:(),>+~\-]+)*[\]:)]|M[\d .]+)$")


class Texts(PhoneTest):
    def test_every_language_says_everything_in_its_own_words(self):
        en, de = self.phone.value(TEXTS % sorted(OWN))
        with self.subTest("the same texts"):
            self.assertEqual(sorted(set(en) ^ set(de)), [], "it is in one language alone")
        both = set(en) & set(de)
        with self.subTest("of the same kinds"):
            self.assertEqual([path for path in both if en[path][0] != de[path][0]], [], "it is a text in one and a function in the other")
        with self.subTest("no English in German"):
            same = [path for path in both if en[path][1] == de[path][1] and en[path][1] not in SAME and re.search(r"[A-Za-z]{3}", said(en[path][1]))]
            self.assertEqual(same, [])
        with self.subTest("no words of programs"):
            programs = re.compile(r"\blarder [a-z]|\.json|\bbatch|\bloose\b|by the books|\bterminal\b|stock/|\d{4}-\d{2}-\d{2}T")
            texts = [f"{path}: {text}" for table in (en, de) for path, (_, text) in table.items() if programs.search(said(text))]
            self.assertEqual(texts, [])


class Sources(unittest.TestCase):
    def test_no_text_of_the_page_is_outside_its_tables(self):
        found = []
        for file in sorted(PAGE.glob("*.js")):
            if file.name not in NO_TEXTS:
                found += [f"{file.name}:{number}: {text}" for number, text in literals(file.read_text())]
        self.assertEqual(found, [])


def said(text):
    """What a function says by itself, or a text."""
    literals = [part for found in LITERAL.findall(text) for part in found] if "=>" in text else [text]
    return re.sub(r"\$\{[^}]*\}", "", " ".join(literals))


def literals(source):
    """Returns the lines and texts of literals that look like words for people: letters with a space, or a capital."""
    source = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found[0]), source, flags=re.DOTALL)
    for number, line in enumerate(source.splitlines(), 1):
        line = re.sub(r"(^|[^:'`])//.*", r"\1", line)
        if line.lstrip().startswith("import ") or "console." in line:
            continue
        for one, other in LITERAL.findall(line):
            text = re.sub(r"\$\{[^}]*\}", "", one or other)
            is_sentence = re.search(r"[A-Za-zÀ-ž]{2,}[,.:]? [A-Za-zÀ-ž]", text) or re.fullmatch(r"[A-Z][a-z]+", text.strip()) or re.search(r"^ [a-z]{2,}|[a-z]{2,} $", text)
            if is_sentence and not is_unread(text, line):
                yield number, text


def is_unread(text, line):
    return bool(UNREAD.match(text)) or re.search(r"query|matches\(|closest\(|viewBox|setAttribute|\.key ===|key ===|=== '|innerHTML", line) is not None
