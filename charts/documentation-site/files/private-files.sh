# shellcheck shell=sh disable=SC2154 # part of fetch-bundle.sh, which sets the variables
# Moves restricted files out of $public, into one folder for each list of groups: nginx's public root then contains
# nothing to protect. A bundle with an unexpected access.json is refused, because the file might give everybody access.

split_private_files() {
    rules=$public/access.json
    private=$work/private
    access=$work/access
    rm -rf "$private" "$access" && mkdir "$access"
    [ -e "$rules" ] || return 0
    read_rules || return
    # Readers cannot request files in $access, but the answer container reads access.json there.
    mv "$rules" "$access/access.json"
    [ -e "$access/0.files" ] || return 0
    if [ -z "$GROUPS_SEPARATOR" ]; then
        refuse "The bundle has files that only some readers may read, but this site does not identify readers." \
            "Set access.header or access.oidc, or export without these pages."
        return
    fi
    for list in "$access"/*.files; do
        move_private_files "$list" || return
    done
    rm "$access"/*.files
}

read_rules() {
    if [ ! -f "$rules" ] || [ "$(wc -c < "$rules")" -gt 67108864 ]; then
        refuse_rules "it is not a file, or is larger than 64 MiB."
        return
    fi
    # Some versions of awk end a line at a zero byte.
    if [ "$(tr -d '\000-\011\013-\037\177' < "$rules" | wc -c)" -ne "$(wc -c < "$rules")" ]; then
        refuse_rules "it has control characters."
        return
    fi
    verdict=$(awk -v out="$access" -f "${0%/*}/access.awk" "$rules") || verdict="it could not be read."
    [ -z "$verdict" ] || refuse_rules "$verdict"
}

refuse_rules() {
    refuse "access.json, which says who may read what, is not usable: $1" "The bundle is refused as a whole."
}

move_private_files() {
    while IFS= read -r file; do
        if [ ! -f "$public/$file" ]; then
            refuse_rules "it names a file that the bundle does not contain: ${file#./}."
            return
        fi
    done < "$1"
    folder=${1##*/}
    folder=$private/${folder%.files}
    mkdir -p "$folder"
    # shellcheck disable=SC2016 # xargs passes the folder and the files to the inner shell
    tr '\n' '\0' < "$1" | (
        cd "$public" && xargs -0 sh -c 'tar -cf - "$@" | (cd "$0" && tar -xof -) && rm -f "$@"' "$folder"
    ) 2> /dev/null || true
    # A pipe does not report every failure, so the moved files are checked.
    while IFS= read -r file; do
        if [ ! -f "$folder/$file" ] || [ -e "$public/$file" ]; then
            refuse "The files that only some readers may read could not be moved out of the public folder." "See siteVolumeSizeLimit."
            return
        fi
    done < "$1"
}
