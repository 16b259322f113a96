#compdef larder
_larder() {
  local -a lines names shown
  local line
  lines=("${(@f)$("${words[1]}" complete --shell zsh -- "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    :files) _files; return ;;
    :folders) _files -/; return ;;
  esac
  for line in $lines; do
    names+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  }")
  done
  (( $#names )) && compadd -U -l -d shown -a names
}
if [ "$funcstack[1]" = _larder ]; then
  _larder "$@"
else
  compdef _larder larder
fi
