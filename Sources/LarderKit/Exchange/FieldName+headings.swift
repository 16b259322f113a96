internal import LarderModel

extension FieldName {
  /// Other headings that people use for a column, in English, German, French, Spanish and Malay.
  var headings: [String] {
    switch self {
    case .name, .itemName:
      [
        "name", "item", "thing", "article", "product", "what", "description", "food", "title",
        "Artikel", "Bezeichnung", "Lebensmittel", "Produkt", "Ware", "nom", "produit",
        "désignation", "nombre", "artículo", "producto", "nama", "barang",
      ]
    case .title: ["name", "product", "Produkt", "produit", "producto", "nama"]
    case .total:
      ["stock", "in stock", "quantity", "have", "Bestand", "Vorrat", "existencias"] + Self.amounts
    case .quantity, .desiredQuantity:
      ["stock", "how much", "quantity", "Bestand", "Vorrat"] + Self.amounts
    case .unit: ["units", "uom", "measure", "Einheit", "unité", "unidad"]
    case .category:
      [
        "group", "type", "section", "aisle", "department", "kind", "Kategorie", "Gruppe",
        "Warengruppe", "catégorie", "rayon", "categoría", "kategori",
      ]
    case .quantityFullStock:
      ["full", "full stock", "target", "wanted", "maximum", "max", "Sollbestand", "Sollmenge"]
    case .quantityMinimum:
      [
        "minimum", "min", "minimum stock", "min stock", "reorder level", "Mindestbestand",
        "Mindestmenge", "stock minimum", "mínimo",
      ]
    case .storageLocationID:
      ["usual location", "usual place", "default location", "Standardort"]
    case .keepsDays: ["keeps", "shelf life", "shelf life days", "Haltbarkeit Tage"]
    case .aliases: ["alias", "other names", "also called"]
    case .products: ["product id", "barcode", "barcodes", "ean", "gtin", "upc", "Strichcode"]
    case .barcodes: ["barcode", "ean", "gtin", "upc", "number", "Strichcode"]
    case .note, .notes:
      [
        "note", "notes", "comment", "comments", "remark", "remarks", "Notiz", "Notizen",
        "Bemerkung", "Kommentar", "remarque", "nota", "notas", "catatan",
      ]
    case .location:
      [
        "place", "storage", "storage location", "where", "shelf", "Ort", "Lagerort", "Platz",
        "lieu", "emplacement", "lugar", "ubicación", "tempat",
      ]
    case .expiry:
      [
        "expires", "expires on", "expiry date", "expiration", "expiration date", "best before",
        "best by", "use by", "bbe", "keeps until", "until", "MHD", "haltbar bis",
        "mindestens haltbar bis", "Ablaufdatum", "Verfallsdatum", "péremption",
        "date de péremption", "DLC", "DDM", "caducidad", "fecha de caducidad", "tarikh luput",
      ]
    case .opened: ["opened on", "opened at", "geöffnet am", "ouvert le"]
    case .lotOrBatchCode, .lot:
      ["lot", "lot code", "lot number", "batch", "batch code", "Charge", "lote"]
    case .isCompleted:
      ["done", "bought", "completed", "in the basket", "ticked", "erledigt", "gekauft"]
    case .isColdStorage: ["cold", "is cold", "freezer", "fridge"]
    case .timestamp:
      [
        "date", "day", "paid", "time", "when", "purchase date", "purchased", "Datum", "gekauft am",
        "fecha", "tarikh",
      ]
    case .shopName:
      [
        "shop", "store", "merchant", "payee", "supplier", "Laden", "Geschäft", "Markt", "magasin",
        "tienda", "kedai",
      ]
    case .amount:
      ["total", "sum", "total amount", "Summe", "gesamt", "Betrag", "montant", "importe"]
    case .price: ["cost", "line total", "Preis", "prix", "precio", "harga"]
    case .brand: ["manufacturer", "maker", "Marke", "Hersteller", "marque", "marca", "jenama"]
    case .packSize: ["pack", "size", "content", "contents", "Packung", "Inhalt"]
    case .bestAfterOpeningDays: ["keeps open", "days after opening"]
    case .imageURL: ["image", "picture"]
    default: []
    }
  }

  private static let amounts = [
    "amount", "qty", "count", "number", "Menge", "Anzahl", "quantité", "cantidad", "kuantiti",
    "jumlah",
  ]
}
