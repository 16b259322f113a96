internal import LarderModel

/// The folded words that tell the kinds of receipt lines.
///
/// They are English, German, French, Spanish and Malay, with those for a total and what stands around
/// it in Dutch, Italian, Portuguese, Polish, Czech, Danish, Swedish, Norwegian, Finnish and others.
enum ReceiptWords {
  static let totals = phrases(
    """
    total|grand total|grandtotal|net total|nettotal|net sales|bal|tax bal|nett total|net amount|nett|amount due|total due|total amount|total sales|\
    total sale|order total|total to pay|to pay|balance|balance due|balance to pay|amount payable|total amount payable|total amount due|total amount to pay|amount to be paid|total to be paid|order value|total value|basket total|shopping total|\
    total payable|total purchase|invoice total|amount to pay|total amt|amt due|total price|\
    order amount|pay this amount|total charge|\
    summe|gesamt|gesamtsumme|gesamtbetrag|gesamtpreis|zu zahlen|zahlen|zu bezahlen|zahlbetrag|endbetrag|\
    endsumme|totalbetrag|zahlungsbetrag|kaufsumme|endpreis|zu bezahlender betrag|zu zahlender betrag|zu zahlender gesamtbetrag|zu zahlende summe|zahlbar|gesamt zu bezahlen|summe zu bezahlen|gesamtbetrag zu zahlen|rechnungsbetrag|rechnungssumme|zahlsumme|betrag|total chf|\
    gesamttotal|endtotal|gesamt zu zahlen|noch zu zahlen|summe zu zahlen|bitte zahlen|offener betrag|restbetrag|restbetrag bar|rest zu zahlen|rechnungstotal|total a payer|zahltotal|gesamtpreis|gesamtwert|gesamtrechnung|verkaufspreis gesamt|\
    amount owed|total owed|total owing|balance owing|you pay|please pay|final total|bill total|check total|ticket total|purchase total|sale amount|total incl|total inc|ttl|tot|total cost|total charged|total rounded|rounded total|total after rounding|total gerundet|total arrondi|total redondeado|jumlah selepas pelarasan|jumlah selepas pembundaran|total payment|total paid|remaining balance|remaining due|bill amount|nett amount|net payable|amount net|net payable amount|\
    reste a payer|total net|total general|a regler|total a regler|total facture|total a payer|net a payer|a payer|montant a payer|montant total|montant du|total ttc|total du|montant ttc|net a regler|montant a regler|montant net|solde|solde a payer|total commande|total ticket|somme a payer|somme due|total achats|total achat|prix total|total caisse|total vente|\
    total neto|total general|a cobrar|total eur|suma total|total a pagar|a pagar|importe total|total venta|total compra|total importe|importe a pagar|\
    total factura|total ticket|neto a pagar|total cuenta|total pedido|total iva incluido|total iva inc|total a abonar|total a cobrar|monto total|monto a pagar|total con iva|suma|precio total|saldo a pagar|total final|total pesos|total euros|total mxn|\
    jumlah rm|jumlah akhir|jumlah kena bayar|jumlah|jumlah besar|jumlah keseluruhan|jumlah perlu dibayar|jumlah bayaran|jumlah bersih|\
    jumlah harga|jumlah nett|jumlah bersih perlu dibayar|jumlah amaun|amaun|amaun bayaran|amaun akhir|jumlah termasuk cukai|jumlah termasuk sst|perlu dibayar|jumlah dibayar|amaun perlu dibayar|\
    totaal|eindtotaal|totaalbedrag|te betalen|totaal te betalen|te voldoen|totaal te voldoen|te betalen bedrag|bedrag|eindbedrag|\
    totale|totale complessivo|totale da pagare|totale documento|totale scontrino|totale fattura|totale ordine|totale spesa|totale dovuto|importo pagato|importo totale|importo dovuto|importo da pagare|da pagare|prezzo totale|\
    valor total|valor a pagar|total geral|total pago|montante a pagar|montante total|total da compra|total da fatura|importancia a pagar|total liquido|valor liquido|\
    suma pln|razem|razem pln|do zaplaty|suma do zaplaty|razem do zaplaty|kwota do zaplaty|do zaplaty pln|lacznie|lacznie do zaplaty|naleznosc|naleznosc ogolem|kwota|\
    celkem|celkem k uhrade|k uhrade|k uhrade celkem|celkova castka|castka celkem|castka k uhrade|celkem k zaplaceni|k zaplaceni|celkova cena|cena celkem|\
    celkom|spolu|na uhradu|suma na uhradu|celkom na uhradu|spolu na uhradu|celkova suma|\
    i alt|ialt|total at betale|at betale|belob at betale|til betaling|belob i alt|total belob|totalbelob|samlet belob|belob|\
    totalt|summa|att betala|totalt att betala|summa att betala|belopp att betala|slutsumma|totalsumma|totalbelopp|belopp|kopesumma|\
    sum|a betale|sum a betale|totalt a betale|totalsum|totalbelop|belop|belop a betale|total a betale|\
    yhteensa|loppusumma|kokonaissumma|maksettava|maksettavaa|maksettavaa yhteensa|maksettava yhteensa|yhteensa maksettava|summa yhteensa|ostot yhteensa|\
    osszesen|fizetendo|vegosszeg|fizetendo osszeg|fizetendo vegosszeg|osszesen fizetendo|mindosszesen|\
    total de plata|de plata|total lei|total general de plata|suma de plata|\
    ukupno|za platiti|ukupno za platiti|sveukupno|za uplatu|skupaj|za placilo|skupaj za placilo|\
    kokku|tasuda|kokku tasuda|summa kokku|kopa|kopa apmaksai|kopsumma|apmaksai|is viso|viso|moketi|moketina suma|bendra suma|suma moketi|\
    toplam|genel toplam|odenecek tutar|toplam tutar|tutar|odenecek|\
    total bayar|total belanja|total pembayaran|total harga|grand total bayar|\
    συνολο|συνολικο ποσο|πληρωτεο|πληρωτεο ποσο|γενικο συνολο|итого|всего|к оплате|итого к оплате|сумма к оплате|общо|обща сума|сума|до сплати|всього|разом|\
    合計|总计|總計|合计|应付|應付|総合計|お買上計|ご請求額|합계|총액|결제금액|받을금액
    """)

  static let subtotals = phrases(
    """
    subtotal|sub total|sub ttl|subttl|item total|item subtotal|items subtotal|items total|goods total|\
    gross amount|gross total|total before|total excluding|merchandise|food total|foods total|food drink|food drinks|food and drink|food beverage|food and beverage|food bev|\
    zwischensumme|zwischentotal|zwischenbetrag|zwischensaldo|zwischenergebnis|teilsumme|teilbetrag|warensumme|warenwert|zwsumme|zw summe|summe artikel|sous total|soustotal|s total|ss total|sous tot|total brut|total partiel|total intermediaire|avant remise|total avant remise|total avant remises|\
    suma parcial|total parcial|total bruto|subtot|sub tot|stotal|sbtl|\
    subtotaal|tussentotaal|totaal excl|subtotale|mezisoucet|mellansumma|delsumma|delsum|mellomsum|valisumma|suma czesciowa|reszosszeg|subtotal geral|ara toplam|小計|小计|소계|\
    jumlah kecil|jumlah kasar|jumlah sebelum|subjumlah|sub jumlah
    """)

  /// Words that may stand before or after the word for a total.
  static let fillers = words(
    """
    incl inc inkl including inclusive for fur pour untuk sales amount article articles item items artikel stk in of the eur \
    usd gbp chf myr sgd aud cad rm rs euro euros mwst vat gst sst tva ttc iva tax tot articulos due posten \
    pos barang positionen brutto ust order sale payable your our votre ihr ihre su tu tuo uw je din ditt dit twoja \
    en em i w v ve na nach mit with con avec med com met al alle les la el die der das de du des \
    dollar dollars pound pounds franken francs pln zl zloty czk kc dkk sek nok isk kr kroner kronor huf ft ron \
    lei bgn lv try tl brl mxn ars clp cop pen nzd hkd jpy krw inr idr rp thb vnd php zar \
    btw moms mva alv dph ptu kdv pdv ddv pvn pvm afa artikler artiklar artikkelia artykuly polozek ks szt st \
    articoli artigos artikelen produkter tuotetta pezzi pz
    """)

  static let payments = phrases(
    """
    cash|card|cards|visa|mastercard|maestro|amex|debit|credit|credit card|debit card|eft|eftpos|tender|\
    tendered|paid|payment|paid by|paid contactless|contactless|charged|charged to|interac|paypal|apple pay|\
    google pay|master|master card|cash tendered|card payment|mobile pay|paynow|grabpay|duitnow|tng|\
    klarna|sepa|upi|nets|paywave|wallet|e wallet|ewallet|gift card|card sales|cheque|check tend|approved|\
    bar|bargeld|barzahlung|gegeben|geg|ec|ec cash|ec karte|girocard|karte|kartenzahlung|kreditkarte|\
    v pay|vpay|eurocard|kontaktlos|ec lastschrift|bankomat|lastschrift|zahlungsart|twint|postcard|bezahlt|erhalten|\
    cb emv|cb sans contact|sans contact|ticket restaurant|recu|cb|carte|carte bancaire|carte bleue|especes|reglement|paiement|bancontact|titre restaurant|\
    tarj|contado|credito|debito|sin contacto|importe entregado|su entrega|efectivo|tarjeta|tarjeta bancaria|entregado|entrega|pagado|pago|bizum|\
    tunai|kad|kad kredit|kad debit|bayaran|dibayar|diterima|terima|touch n go|\
    pinnen|pin|pinbetaling|contant|betaald|betaald met|betaling|contanti|contante|pagamento|pagamento contante|pagamento elettronico|carta di credito|bancomat|\
    dinheiro|numerario|multibanco|cartao|cartao de credito|cartao de debito|mb way|pagamento em|gotowka|karta|karta platnicza|platnosc|zaplacono|blik|hotove|hotovost|v hotovosti|kartou|platba|zaplaceno|\
    kontant|kontanter|dankort|kort|betalt|betalt med|mobilepay|betaling med kort|swish|bankkort|kontokort|mottaget|kateinen|kateista|pankkikortti|korttimaksu|kortti|maksettu|\
    keszpenz|bankkartya|numerar|gotovina|kartica|sularaha|nakit|kredi karti|наличные|картой|現金|お預り|现金|카드|현금
    """)

  static let changes = phrases(
    """
    change|change due|your change|ruckgeld|rueckgeld|zuruck|zurueck|wechselgeld|wechsel|restgeld|a devolver|devuelto|entregar|tukaran|pulangan|duit baki|retour|rendu|a rendre|\
    monnaie|monnaie rendue|rendu monnaie|cambio|su cambio|vuelto|su vuelto|devolucion|baki|wang baki|\
    wisselgeld|resto|troco|reszta|vraceno|vratit|byttepenge|retur byttepenge|vaxel|tillbaka|vekslepenger|veksel|vaihtoraha|takaisin|visszajaro|rest lei|povrat|vracilo|para ustu|сдача|お釣り|おつり|\
    cash back|cashback|cash out|bargeldauszahlung|barauszahlung
    """)

  static let taxes = words(
    "tax taxes vat gst hst pst qst sst mwst ust steuer tva iva tps tvq igst cgst cukai btw igic impuesto impuestos impto taxe mehrwertsteuer umsatzsteuer verkaufssteuer ieps sct cess imposta imposto moms mva alv dph ptu kdv pdv ddv pvn pvm afa ндс φπα"
  )

  /// Phrases for the amount on which a tax is computed.
  static let taxBases = phrases(
    """
    base imponible|base imp|taxable amount|amount excl|nettobetrag|netto|nettosumme|montant ht|total ht|\
    total hors taxes|neto gravado|amaun sebelum cukai
    """)

  /// Words that say that the prices include a tax.
  static let included = words(
    """
    taxable incl inc included includes including inclusive inkl enthalten enthaltene davon darin dont inclus \
    incluido incluidos incluida incluye compris comprise comprises termasuk cui waarvan heraf herav varav hvorav josta sisaltaa inclusa inclusi incluso obsahuje zawiera w tym
    """)

  static let discounts = words(
    """
    discount disc saving savings coupon coupons cpn cpns voucher vouchers bogo promo promotion promotions offer multibuy off less \
    markdown reduction deal rebate rabatt nachlass preisvorteil aktion coupon gutschein bonus rabattaktion \
    sofortrabatt vorteil remise rabais reduc avantage descuento dto dcto desc oferta rebaja promocion \
    ahorras cupones vorteilspreis diskaun potongan tolak korting actiekorting kassakorting sconto rem skonto cupon desconto descontos rabat rabaty opust upust \
    sleva slevy zlava alennus rabatter avslag kedvezmeny reducere popust nuolaida allahindlus indirim скидка 割引 値引
    """)

  /// Phrases for the sum of what was saved, which the prices include already.
  static let saved = phrases(
    """
    you saved|total savings|total saved|total discount|total discounts|saved|savings today|your savings|\
    sie sparen|sie sparten|sie haben|gespart|ersparnis|vous economisez|vous avez economise|economie|\
    ahorro|ahorro total|ha ahorrado|usted ahorro|anda jimat|jimat|jumlah diskaun|jumlah jimat
    """)

  /// Phrases for the price before a discount that the amount includes already.
  static let formerPrices = phrases(
    """
    regprice|reg price|regular price|regular|original price|list price|was|before discount|normal price|\
    normalpreis|statt|uvp|listenpreis|prix normal|prix initial|au lieu de|precio normal|antes|harga asal
    """)

  static let deposits = words(
    """
    crf drs pant pfd einweg mehrweg einwegleergut mehrwegleergut envases caution deposit pfand leergut leergutbon einwegpfand mehrwegpfand depot consigne consignes vidanges statiegeld crv envase \
    deposito pfandbon pfandruckgabe pantti panttipalautus kaucja zaloha betetdij
    """)
  static let depositPhrases = phrases(
    """
    btl return|bottle return|bottles return|btl dep|bottle dep|can dep|retour vidange|retour vidanges|\
    vidange caisse|vidange caisses|vidange bouteille|vidange bouteilles|vidange casier|einsatz glas|einsatz glasflasche|\
    einsatz flasche|einsatz kiste|retour glas|retour glasflaschen|retour flaschen|retour kiste|\
    retour bouteilles|retour bouteille|retorno envase|retorno envases|container return|redem val|redemp val|redemption value|\
    ca redemp
    """)

  static let roundings = words(
    """
    rounding rundung rundungsdifferenz rundungsausgleich arrondi redondeo pelarasan penggenapan \
    pembundaran afronding arrotondamento arredondamento zaokrouhleni zaokraglenie oresavrunding oresavrundning avrunding avrundning \
    afrunding pyoristys kerekites rotunjire
    """)

  static let roundingPhrases = phrases("round off|round up|round down|round adj")

  static let fees = phrases(
    """
    delivery|delivery fee|service|service fee|service charge|svc|svc chg|tip|gratuity|shipping|bag fee|\
    surcharge|handling|trinkgeld|lieferkosten|liefergebuhr|versand|versandkosten|servicegebuhr|\
    frais|frais de|livraison|pourboire|gastos|gastos de|envio|propina|caj|caj perkhidmatan|penghantaran|\
    postage|small order fee|eco fee|env fee|recycling fee|verpackung|mindermengenzuschlag|\
    zuschlag|bearbeitungsgebuhr|bayaran perkhidmatan
    """)

  /// Words for a fee at any place in a name.
  static let feeWords = words("fee fees gebuhr surcharge entgelt")

  /// Phrases for a part of the price above, which changes no sum.
  static let parts = phrases(
    """
    dont|davon|darin|darin enthalten|of which|thereof|including|y compris|de los cuales|de lo cual|\
    daripadanya|waarvan|di cui|inkl|incl
    """)

  static let voids = words(
    "storno sofortstorno void voided anulado anulacion annulation annule batal zeilenstorno postenstorno"
  )

  /// Headings of a column with quantities.
  static let quantityHeadings = words(
    "qty quantity menge anzahl qte quantite cant cantidad kuantiti aantal ctd unid unidades bil uds"
  )
  /// Headings of other columns.
  static let headings = words(
    """
    item items description article artikel artikelbezeichnung bezeichnung price preis prix prezzo precio \
    amount betrag summe total montant importe jumlah harga descripcion libelle produit product articulo \
    descrizione omschrijving prijs bedrag desig designation rate pu mt sprice barang gewicht grundpreis einzelpreis einzel weight \
    poids peso omschrijving descricao produto preco valor nazwa cena ilosc nazev mnozstvi vare varenavn antal benamning pris \
    tuote hinta maara
    """)

  /// Words in the heading of a table of taxes, besides those for taxes themselves.
  static let taxHeadings = words(
    """
    netto net nettobetrag nettosumme nettowert nettoumsatz brutto gross bruttobetrag bruttosumme bruttoumsatz base basis \
    imponible gravable rate rates satz steuersatz steuerbetrag steuern mwstsatz ht ttc taux montant cuota tipo importe \
    grondslag bedrag over tarief excl incl aliquota imponibile valore taxa incidencia valor liquido stawka kwota sazba \
    zaklad dan momssats sats moms belopp belob grunnlag veroton verollinen vero kanta amount amt code class kl klasse typ type art \
    betrag umsatz total totaal totale summe gesamt gesamtbetrag eur euro usd gbp chf cukai kadar amaun taxable sales value \
    exkl inkl ex inc percent prozent
    """)
  /// Words that a heading of a table of taxes has at least one of, if it has no word for a tax.
  static let netHeadings = words(
    "netto net nettobetrag nettosumme ht imponible imponibile grondslag zaklad veroton steuersatz")

  /// Words for the things on a receipt, which may follow or precede their number.
  static let articleWords = words(
    """
    articles article artikel items item posten positionen articulos articulo articoli artigos pezzi pcs pieces produits produkte \
    products products artikelen stuks artikler artiklar varer varor tuotetta kpl polozek pozycji barang sold vendidos verkauft \
    qty quantity stuck stk teile
    """)
  /// Words that may stand beside those: `TOTAL NUMBER OF ITEMS SOLD`, `Nombre d'articles`.
  static let articleFillers = words(
    """
    total number no of nb nombre d num numero de anzahl der gesamt gesamtanzahl summe count transaction in this the aantal \
    antal jumlah bil bilangan sum tot nr
    """)

  /// Returns the folded words of a line, without numbers and signs.
  static func label(of text: String) -> [String] {
    fold(withoutZeros(text)).split { !$0.isLetter }.map(String.init)
  }

  /// Returns a text with the letter O for each zero between two letters: `T0TAL`.
  private static func withoutZeros(_ text: String) -> String {
    guard text.contains("0") else { return text }
    let characters = Array(text)
    return String(
      characters.indices.map { place in
        let isInside =
          characters[place] == "0" && place > 0 && place + 1 < characters.count
          && characters[place - 1].isLetter && characters[place + 1].isLetter
        return isInside ? "o" : characters[place]
      })
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Phrases by their first word, the longest first.
  typealias Phrases = [String: [[String]]]

  private static func phrases(_ text: String) -> Phrases {
    let all = text.split(separator: "|").map { label(of: String($0)) }
    return Dictionary(grouping: all.sorted { $0.count > $1.count }) { $0.first ?? "" }
  }
}

extension Sequence<String> {
  /// Returns the longest phrase with which the words begin; nil if there is none.
  func beginning(_ phrases: ReceiptWords.Phrases) -> [String]? {
    first { _ in true }.flatMap { phrases[$0] }?.first { starts(with: $0) }
  }
}

extension [String] {
  func hasWord(of words: Set<String>) -> Bool { contains(where: words.contains) }

  /// Whether the words contain one of the phrases.
  func hasPhrase(of phrases: ReceiptWords.Phrases) -> Bool {
    indices.contains { self[$0...].beginning(phrases) != nil }
  }
}
