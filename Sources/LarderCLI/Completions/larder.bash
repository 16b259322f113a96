_larder() {
  local current=${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete --shell bash -- \
    "${COMP_LINE:0:COMP_POINT}" "$current" 2>/dev/null)
}
complete -F _larder larder
