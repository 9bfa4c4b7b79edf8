# Turns the bundle's redirects.map into entries for the maps of nginx.conf: awk -v out=FOLDER -f redirects.awk MAP
# The bundle is untrusted, so no line of it reaches nginx: each is parsed, and written again from its parts. A line that
# breaks the grammar, or could prevent nginx from starting, is left out; the output names its number, never its text.
#   "/old" "/new";                       an address, or one of another site
#   "~^/old/(?<p1>.*)$" "/new/${p1}";    captures are whole segments, and used below the host only

BEGIN {
    address = "^[A-Za-z0-9_./~!&'()*+,:@%=|?#-]+$"
    # nginx does not start with a bucket of its hash beyond 64 KiB, and a hostile map can put all into one bucket.
    shards = 64
    shard_bytes = 60000
    most_patterns = 500
    most_complaints = 5
}

function leave_out(why) {
    left_out += 1
    if (left_out <= most_complaints) print "line " NR " is left out: " why
}

# @return whether this is a path of the site, or an address whose host has no capture in it
function is_destination(text, captures,    plain, i) {
    plain = text
    for (i = 1; i <= captures; i++) gsub("[$][{]p" i "[}]", "x", plain)
    if (plain !~ address) return 0
    return text ~ /^\/[^\/]/ || text == "/" || text ~ /^https?:\/\/[A-Za-z0-9.-]+(:[0-9]+)?([\/?#]|$)/
}

function unescaped(text) {
    gsub(/\\/, "", text)
    return text
}

# Sets pattern and captures. @return what is wrong, or nothing
function read_pattern(source,    body, count, parts, i, literal, wide) {
    body = substr(source, 4, length(source) - 4)
    # One of the segments contains a slash.
    gsub(/>\[\^\/\]\+\)/, ">segment)", body)
    gsub(/>\.\*\)/, ">rest)", body)
    count = split(body, parts, "/")
    pattern = "~^"
    captures = 0
    wide = 0
    for (i = 1; i <= count; i++) {
        if (parts[i] == "(?<p" (captures + 1) ">segment)") {
            captures += 1
            pattern = pattern "/(?<p" captures ">[^/]+)"
        } else if (parts[i] == "(?<p" (captures + 1) ">rest)") {
            captures += 1
            wide += 1
            pattern = pattern "/(?<p" captures ">.*)"
        } else {
            literal = parts[i]
            gsub(/\\[].*+?^$()|[]/, "", literal)
            if (literal !~ /^[A-Za-z0-9_~!&',:@%=-]*$/) return "its pattern is not of the grammar"
            pattern = pattern "/" parts[i]
        }
    }
    pattern = pattern "$"
    # Each more would multiply the time that a long address takes.
    if (wide > 1) return "its pattern has more than one .*"
    return ""
}

function write_exact(source, destination,    key) {
    # nginx ignores case, and refuses a second entry.
    key = tolower(source)
    if (key in taken) {
        leave_out("an earlier line has its address, perhaps in another case")
        return
    }
    if (bytes + length(key) + 32 > shard_bytes) {
        shard += 1
        bytes = 0
    }
    if (shard >= shards) {
        leave_out("the pods take no more redirects")
        return
    }
    taken[key] = 1
    bytes += length(key) + 32
    # The value contains the source, too: nginx.conf compares it again, with its case.
    printf "\"%s\" \"%s %s\";\n", source, source, destination > (out "/exact-" (shard + 0) ".map")
}

/^$/ { next }

# nginx refuses a parameter of 4096 bytes.
length($0) > 2000 { leave_out("it is too long"); next }

!/^"[^" ]+" "[^" ]+";$/ { leave_out("it is not of the form \"SOURCE\" \"DESTINATION\";"); next }

{
    split($0, fields, "\"")
    source = fields[2]
    destination = fields[4]
    captures = 0
    problem = ""
    is_pattern = source ~ /^~\^\/.*\$$/
    if (is_pattern) problem = read_pattern(source)
    if (is_pattern && problem == "" && captures == 0) {
        is_pattern = 0
        source = unescaped(substr(source, 3, length(source) - 3))
    }
    if (!is_pattern && problem == "" && (source !~ /^\/./ || source !~ address)) problem = "its source is not an address"
    if (problem == "" && !is_destination(destination, captures)) problem = "it leads to no address of this or another site"
    if (problem == "" && source == destination) problem = "it leads to itself"
    if (problem == "" && is_pattern && patterns >= most_patterns) problem = "the pods take no more patterns"
    if (problem != "") {
        leave_out(problem)
    } else if (is_pattern) {
        patterns += 1
        printf "\"%s\" \"%s\";\n", pattern, destination > (out "/patterns.map")
    } else {
        write_exact(source, destination)
    }
}

END {
    if (left_out > most_complaints) print (left_out - most_complaints) " more lines are left out"
}
