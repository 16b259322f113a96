/// The look of the report; people who see few colours can tell its colours apart too.
enum ReportStyle {
  /// The colours, in light and dark.
  static let colors = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#1b2026;--soft:#57606a;--line:#d8dde3;\
    --track:#eef1f4;--main:#0b5cad;--on-main:#fff;--mark:#a8470b;--on-mark:#fff}
    @media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e8ecf0;--soft:#a7b1bc;\
    --line:#39424c;--track:#242b33;--main:#74b4f5;--on-main:#0d1319;--mark:#f2a765;--on-mark:#1a1006}}
    """

  /// The style of pictures.
  static let pictures = """
    .picture text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;\
    fill:var(--ink);font-variant-numeric:tabular-nums}
    .picture .small{font-size:11px;fill:var(--soft)}.picture .name{font-weight:600}
    .picture .bar{fill:var(--main)}.picture .track{fill:var(--track)}
    .picture .grid{stroke:var(--line);stroke-width:1}
    .picture .course{fill:none;stroke:var(--main);stroke-width:2;stroke-linejoin:round;\
    stroke-linecap:round}
    .picture .dot{fill:var(--main)}.picture .area{fill:var(--main);opacity:.14}
    .picture .want{stroke:var(--mark);stroke-width:1.5;stroke-dasharray:4 3}
    .picture .cell{fill:var(--track)}.picture .past{fill:none;stroke:var(--line)}
    .picture .today{fill:none;stroke:var(--ink);stroke-width:1.5}
    .picture .due{fill:var(--main)}.picture .lost{fill:var(--mark)}
    .picture .on-due{fill:var(--on-main);font-weight:600}
    .picture .on-lost{fill:var(--on-mark);font-weight:600}
    .picture .day-due{font-size:11px;fill:var(--on-main)}.picture .day-lost{font-size:11px;fill:var(--on-mark)}

    """

  /// The page around the pictures.
  static let page = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\
    "Segoe UI",Roboto,"Noto Sans",sans-serif}
    main,header,footer{max-width:64rem;margin:0 auto;padding:0 1.25rem}
    header{padding-top:2.5rem}footer{padding-bottom:3rem;color:var(--soft);font-size:.875rem}
    h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;overflow-wrap:anywhere}
    h2{font-size:1.25rem;line-height:1.3;margin:0 0 .25rem}
    h3{font-size:1rem;margin:0 0 .75rem}
    p{margin:0 0 1rem}.soft{color:var(--soft)}
    section{border-top:1px solid var(--line);padding:1.75rem 0 1rem;margin-top:1.25rem}
    dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1.25rem 1rem;\
    margin:1.75rem 0 0}
    dt{color:var(--soft);font-size:.875rem}dd{margin:0}
    dd b{display:block;overflow-wrap:anywhere;font-size:1.25rem;line-height:1.35;font-weight:600;\
    font-variant-numeric:tabular-nums}
    dd span{color:var(--soft);font-size:.875rem}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));\
    gap:2rem 3rem;margin-top:1.25rem;align-items:start}
    figure{margin:0;min-width:0}
    @media (min-width:60rem){.figures{grid-template-columns:1fr 1fr}.tall{grid-row:span 2}\
    .beside{grid-column:1/-1;display:grid;grid-template-columns:1fr 1fr;gap:0 3rem}\
    .beside h3{grid-column:1/-1}.beside details{margin-top:0}}
    .picture{display:block;width:100%;max-width:30rem;height:auto}
    details{margin-top:.75rem}summary{cursor:pointer;color:var(--main);font-size:.875rem;\
    width:fit-content}summary:focus-visible{outline:2px solid var(--main);outline-offset:3px}
    .scroll{overflow-x:auto;max-height:36rem;overflow-y:auto;margin-top:.5rem}
    .scroll:focus-visible{outline:2px solid var(--main)}
    table{border-collapse:collapse;width:100%;font-size:.875rem;line-height:1.4}
    caption.same{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    caption{text-align:left;color:var(--soft);padding-bottom:.375rem}
    th,td{text-align:left;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line);\
    vertical-align:top}
    th{font-weight:400;overflow-wrap:break-word}
    tbody th{min-width:6rem}thead th{color:var(--soft);vertical-align:bottom}tfoot th,tfoot td{font-weight:600;border-bottom:0}
    .n,.w{text-align:right}.n,.w,.d{font-variant-numeric:tabular-nums}.n,.d{white-space:nowrap}
    thead .n{white-space:normal}
    th:last-child,td:last-child{padding-right:0}
    @media (max-width:30rem){table{font-size:.8125rem}th,td{padding-right:.5rem}}
    @page{size:A4;margin:16mm}
    @media print{:root{--paper:#fff;--ink:#1b2026;--soft:#57606a;--line:#d8dde3;--track:#eef1f4;\
    --main:#0b5cad;--on-main:#fff;--mark:#a8470b;--on-mark:#fff}
    body{font-size:11pt}header{padding-top:0}main,header,footer{max-width:none;padding-left:0;\
    padding-right:0}
    .picture{max-width:88mm;print-color-adjust:exact;-webkit-print-color-adjust:exact}
    .figures{grid-template-columns:1fr 1fr;gap:8mm}.tall{grid-row:span 2}
    .beside{grid-column:1/-1;display:grid;grid-template-columns:1fr 1fr;gap:0 8mm}
    .beside h3{grid-column:1/-1}.beside details{margin-top:0}
    table{font-size:8.5pt}th,td{padding:1mm 2mm 1mm 0}
    .picture,dl,tr{break-inside:avoid}h2,h3,section>p{break-after:avoid}
    details:not([open]){display:none}.scroll{max-height:none;overflow:visible}}
    """
}
