# Reads the bundle's access.json: awk -v out=FOLDER -f access.awk access.json, with GROUPS_SEPARATOR in the environment.
# Writes for each different list of groups, numbered from 0, N.files (its files, one a line, for tar) and N.map (entries
# for a map of nginx.conf, written from parsed names, so that no text of the bundle becomes configuration).
# Prints why the bundle must be refused, or nothing. A list in another form might open a file to everybody.
#   {
#     "formatVersion": 1,
#     "files": {
#       "guides/secret.html": ["admins", "staff"],
#       "guides/signed-in.html": []
#     }
#   }

BEGIN {
    separator = ENVIRON["GROUPS_SEPARATOR"]
    # nginx.conf has this many maps.
    max_lists = 64
    # Each is a regular expression that nginx compares with a reader's groups.
    max_groups = 2000
    # nginx refuses a parameter of 4096 bytes.
    max_group_bytes = 500
    lists = 0
    step = 1
    split("{;  \"formatVersion\": 1,;  \"files\": {;\n;  };};\n", form, ";")
}

function refuse(why) {
    print "line " NR " " why
    refused = 1
    exit
}

# Letters, digits and bytes beyond ASCII match themselves; every other character needs a backslash.
function escaped(text,    i, character, result) {
    for (i = 1; i <= length(text); i++) {
        character = substr(text, i, 1)
        result = result (character ~ /[A-Za-z0-9_]|[^ -~]/ ? character : "\\" character)
    }
    return result
}

function check_group(group) {
    if (length(group) > max_group_bytes) refuse("names a group of more than " max_group_bytes " bytes.")
    if (group ~ /^ | $/) refuse("names a group that begins or ends with a space.")
    if (separator != "" && index(group, separator)) {
        refuse("names a group with the separator of groups (\"" separator "\") in it.")
    }
}

# Gives a new list a number, and writes its map.
function number_of(list,    parts, count, i) {
    if (list in numbers) return numbers[list]
    if (lists >= max_lists) refuse("begins list " (max_lists + 1) " of groups: pods take " max_lists " different ones.")
    map = out "/" lists ".map"
    # Matches every signed-in reader: separators surround the groups.
    if (list == "[]") printf "\"~^%s\" %d;\n", escaped(separator), lists > map
    count = split(list, parts, "\"")
    for (i = 2; i < count; i += 2) {
        check_group(parts[i])
        groups += 1
        if (groups > max_groups) refuse("exceeds the " max_groups " groups that pods take.")
        printf "\"~%s%s%s\" %d;\n", escaped(separator), escaped(parts[i]), escaped(separator), lists > map
    }
    close(map)
    numbers[list] = lists
    return lists++
}

step == 4 && /^    "[^"\\]+": \[("[^"\\]+"(, "[^"\\]+")*)?\],?$/ {
    file = substr($0, 6, index($0, "\": [") - 6)
    list = substr($0, index($0, "\": [") + 3)
    if (list !~ /,$/) step = 5
    sub(/,$/, "", list)
    if (("/" file "/") ~ /\/\.?\.?\//) refuse("names no path of the bundle.")
    if (file in listed) refuse("names a file again.")
    listed[file] = 1
    print "./" file > (out "/" number_of(list) ".files")
    next
}

step == 2 && /^  "formatVersion": [0-9]+,$/ && $0 != form[2] {
    refuse("has another format version than 1: use a newer chart.")
}
step == 3 && $0 == "  \"files\": {}" { step = 6; next }
$0 == form[step] { step += 1; next }
{ refuse("is not of the form that exporters write.") }

END { if (!refused && step != 7) print "it is truncated." }
