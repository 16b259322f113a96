"""Scan: the number under the bars, and the camera where the browser reads it."""

from .test_stock import StockTest

#: Stands for a camera that sees the bars of window.bars: machines have none.
CAMERA = """
window.BarcodeDetector = class {
  detect() {
    return Promise.resolve(window.bars ? [{ rawValue: window.bars }] : []);
  }
};
const canvas = document.createElement('canvas');
canvas.getContext('2d').fillRect(0, 0, 9, 9);
navigator.mediaDevices.getUserMedia = () => Promise.resolve(window.stream = canvas.captureStream());
"""


class Scan(StockTest):
    def say(self, number, name):
        """Says on the phone of which item a number is."""
        self.phone.fill("#scan-number", number)
        self.phone.until(f"document.querySelector('#scan').textContent.includes('Nobody has said yet what {number} is.')")
        self.phone.tap("#scan-ours")
        self.phone.fill("#ours-words", name)
        self.phone.tap(f"#ours-{self.id(name)}")
        self.phone.fill("#ours-much", "1 l")
        self.phone.tap("#ours-do")
        self.phone.until("!document.querySelector('#ours') && document.querySelector('#scan-put')")

    def test_a_number_is_said_once_and_then_puts_and_uses(self):
        before = self.there("Milk")
        self.phone.tap("#scan-open")
        self.phone.fill("#scan-number", "5012345678901")
        self.phone.until("document.querySelector('#scan-number-error')?.textContent.includes('One digit is wrong: it ends in 0')")
        self.assertAccessible("a wrong digit")
        self.say("5012345678900", "Milk")
        self.assertEqual(self.phone.value("document.querySelector('#scan-much').value"), "1 l")
        self.phone.picture("scan")
        self.phone.tap("#scan-put")
        self.phone.until("document.querySelector('#scan .recent')?.textContent.includes('Put: Milk, 1 l')")
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before + 1)
        self.phone.fill("#scan-much", "99 l")
        self.phone.tap("#scan-use")
        self.phone.until("document.querySelector('#scan-much-error')?.textContent.includes('is there.')")
        self.phone.fill("#scan-much", "2 l")
        self.phone.tap("#scan-use")
        self.phone.until("document.querySelectorAll('#scan .recent').length === 2")
        self.phone.tap("#scan .recent [id^=undo-]")
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before + 1)

    def test_a_new_item_is_made_of_an_unknown_number(self):
        self.phone.tap("#scan-open")
        self.phone.fill("#scan-number", "4006381333931")
        self.phone.tap("#scan-new")
        self.phone.fill("#new-name", "Marker")
        self.phone.fill("#new-now", "1")
        self.phone.tap("#new-do")
        self.phone.until("document.querySelector('#scan')?.textContent.includes('Marker')")
        self.phone.sent()
        self.assertEqual(self.there("Marker"), 1)
        self.phone.until("import('/state.js').then(({ page }) => page.state.items.find(({ name }) => name === 'Marker').barcodes[0].number === '4006381333931')")

    def test_the_camera_keeps_what_it_found_until_it_was_dealt_with(self):
        self.phone.tap("#scan-open")
        self.say("5012345678900", "Milk")
        self.phone.close_sheet()
        self.phone.browser.run(CAMERA)
        self.phone.value("window.bars = '5012345678900'")
        self.phone.tap("#scan-open")
        self.phone.until("document.querySelector('#scan .sum')?.textContent === 'Milk'")
        self.assertEqual(self.phone.count("#scan video"), 1)
        self.phone.value("window.bars = '4006381333931'")
        self.phone.tap("#scan-put")
        self.phone.until("document.querySelector('#scan').textContent.includes('Nobody has said yet what 4006381333931 is.')")
        self.phone.tap("#scan-number-instead")
        self.phone.until("document.querySelector('#scan-number') && window.stream.getTracks().every(({ readyState }) => readyState === 'ended')")
