#!/bin/sh
# Fetches, checks and unpacks one export bundle before nginx starts. On success, $SITE_DIR/public contains exactly the
# public files of the site, and $SITE_DIR/private the others. On failure, the pod does not start, so the live site stays
# live.
# The link is read from a mounted Secret and never printed; output of tools, which may contain it, is not logged either.
# Plain POSIX sh that works with GNU and busybox tools.
set -eu
export LC_ALL=C
umask 022

: "${EXPORT_ID:?must name the export that this pod serves}"
EXPECTED_SHA256=${EXPECTED_SHA256:-}
HEALTHZ_JSON=${HEALTHZ_JSON:-}
SECRET_DIR=${SECRET_DIR:-/etc/static-export}
SITE_DIR=${SITE_DIR:-/srv/site}
CACHE_DIR=${CACHE_DIR:-}
CACHE_RETAINED=${CACHE_RETAINED:-2}
CA_FILE=${CA_FILE:-}
# GROUPS_SEPARATOR is set if the site identifies readers.
GROUPS_SEPARATOR=${GROUPS_SEPARATOR:-}
export GROUPS_SEPARATOR
TERMINATION_LOG=${TERMINATION_LOG:-/dev/termination-log}
ATTEMPTS=${ATTEMPTS:-6}
ATTEMPT_TIMEOUT_SECONDS=${ATTEMPT_TIMEOUT_SECONDS:-300}
RETRY_DELAY_SECONDS=${RETRY_DELAY_SECONDS:-2}
# fetch.limits of values.yaml.
: "${MAX_BUNDLE_MIB:?}" "${MAX_SITE_MIB:?}" "${MAX_FILES:?}"

work=$SITE_DIR/.work
archive=$work/bundle.tar.gz
reason=
advice=

# shellcheck source-path=SCRIPTDIR
. "${0%/*}/private-files.sh"

log() { printf 'static-export: %s\n' "$*"; }

# Exits with the reason in the log and in the termination message, which `kubectl describe pod` shows.
give_up() {
    message="$reason${advice:+ $advice}"
    log "$message" >&2
    { printf '%s\n' "$message" > "$TERMINATION_LOG"; } 2> /dev/null || true
    exit 1
}

refuse() {
    reason=$1
    advice=${2:-}
    return 1
}

# Like refuse, but reports a transient failure.
try_again() {
    refuse "$@" || return 2
}

# --- what to fetch ---------------------------------------------------------------------------------------------------

# Kubernetes may replace the files of a Secret between two reads, so compare the identity before and after reading.
read_link() {
    id_before=$(cat "$SECRET_DIR/export-id")
    link=$(cat "$SECRET_DIR/bundle-url")
    id_after=$(cat "$SECRET_DIR/export-id")
    if [ "$id_before" != "$EXPORT_ID" ] || [ "$id_after" != "$EXPORT_ID" ]; then
        try_again "The Secret belongs to another export than this pod." \
            "A pod serves only its own export; this ends when the new pods are ready or the rollout is rolled back."
        return
    fi
    link_scheme=${link%%://*}
    link_host=${link#*://}
    link_host=${link_host%%[/?#]*}
    case $link in *[![:graph:]]* | *[\"\\]*) link_scheme= ;; esac
    case $link_host in *@* | "") link_scheme= ;; esac
    case $link_scheme in
        http | https) ;;
        *) refuse "staticExport.bundleUrl is not an http(s) address (not shown: it is a secret)." \
            "The address must have no user name and no white space." ;;
    esac
}

# --- download --------------------------------------------------------------------------------------------------------

# Sets http_status (000 without a response) and tool_status.
download() {
    rm -f "$archive"
    tool_status=0
    if command -v curl > /dev/null 2>&1; then
        redirects==https
        [ "$link_scheme" = https ] || redirects==http,https
        # The link is passed on standard input, because process lists show arguments. -q ignores .curlrc, so that only
        # the request itself is sent.
        http_status=$(printf 'url = "%s"\n' "$link" | (
            limit_file_size "$MAX_BUNDLE_MIB"
            exec curl -q --config - --globoff --silent --fail --location --max-redirs 5 --proto '=http,https' \
                --proto-redir "$redirects" --connect-timeout 10 --speed-limit 1 --speed-time 30 \
                --max-time "$ATTEMPT_TIMEOUT_SECONDS" ${CA_FILE:+--cacert "$CA_FILE"} \
                --output "$archive" --write-out '%{http_code}' 2> /dev/null
        )) || tool_status=$?
    else
        (
            limit_file_size "$MAX_BUNDLE_MIB"
            exec timeout "$ATTEMPT_TIMEOUT_SECONDS" wget -S -O "$archive" "$link" 2> "$work/wget.log"
        ) || tool_status=$?
        http_status=$(sed -n 's,.*HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' "$work/wget.log" | tail -n 1)
        rm -f "$work/wget.log"
    fi
    [ -n "$http_status" ] || http_status=000
}

# The kernel enforces this limit, even if a server announces no length. The limit includes one extra block, so that a
# file of the maximum size differs from a larger one.
limit_file_size() { ulimit -f $(($1 * 2048 + 1)); }

renew="Next: run 'pulumi up', which renews the link (or 'helm upgrade' with a fresh staticExport.bundleUrl); this \
container then continues by itself. To start pods long after a link has expired, use BundleMirror with publicUrl or \
set cache.enabled."

judge_download() {
    size=0
    [ ! -f "$archive" ] || size=$(($(wc -c < "$archive")))
    if [ "$size" -gt $((MAX_BUNDLE_MIB * 1048576)) ]; then
        refuse "The bundle from $link_host is larger than fetch.limits.bundleMiB ($MAX_BUNDLE_MIB MiB)." \
            "Raise the limit if that is expected."
        return
    fi
    [ "$tool_status" -ne 0 ] || return 0
    case $http_status in
        403 | 410) refuse "HTTP $http_status from $link_host: the bundle link has expired or was withdrawn." "$renew" ;;
        400 | 401) refuse "HTTP $http_status from $link_host: the bundle link was refused, for example because its \
signer's credentials have expired." "$renew" ;;
        404) refuse "HTTP 404 from $link_host: the bundle does not exist, or no longer exists." "$renew" ;;
        408 | 429 | 5??) try_again "HTTP $http_status from $link_host: the storage did not deliver the bundle." ;;
        3?? | 4??) refuse "HTTP $http_status from $link_host instead of the bundle." ;;
        *) judge_connection ;;
    esac
}

# The exit codes come from curl; 124 comes from timeout.
judge_connection() {
    case $tool_status in
        6) try_again "The host name of $link_host cannot be resolved." "Check DNS and the NetworkPolicy." ;;
        7) try_again "No connection to $link_host." "Check networkPolicy.egressTo and egressPorts." ;;
        28 | 124) try_again "The download from $link_host timed out." "See fetch.attemptTimeoutSeconds." ;;
        35 | 60 | 77) try_again "The TLS connection to $link_host is not trusted (curl error $tool_status)." \
            "For a private authority set fetch.certificateAuthority." ;;
        23) try_again "The bundle could not be written to disk." "See siteVolumeSizeLimit." ;;
        *) try_again "The download from $link_host broke off after $size bytes (error $tool_status)." ;;
    esac
}

# One attempt. Returns 0 on success, 1 on a permanent failure, 2 on a transient one.
attempt_download() {
    read_link || return
    if ! command -v curl > /dev/null 2>&1 && [ "$link_scheme" = https ] && [ -z "$EXPECTED_SHA256" ]; then
        refuse "The fetch image has no curl, and not every wget checks certificates." \
            "Set staticExport.sha256 or use an image with curl."
        return
    fi
    download
    judge_download
}

fetch() {
    attempt=1
    pause=$RETRY_DELAY_SECONDS
    while :; do
        outcome=0
        attempt_download || outcome=$?
        [ "$outcome" -eq 2 ] || return "$outcome"
        [ "$attempt" -lt "$ATTEMPTS" ] || return 1
        log "Attempt $attempt of $ATTEMPTS: $reason Trying again in $pause s."
        sleep "$pause"
        attempt=$((attempt + 1))
        pause=$((pause * 2))
        [ "$pause" -le 20 ] || pause=20
    done
}

# --- check and unpack ------------------------------------------------------------------------------------------------

digest_of() { sha256sum < "$1" | cut -d ' ' -f 1; }

check_digest() {
    digest=$(digest_of "$archive")
    expected=$(printf '%s' "${EXPECTED_SHA256:-$digest}" | tr 'A-F' 'a-f')
    [ "$digest" = "$expected" ] ||
        refuse "The bundle's SHA-256 is $digest, but staticExport.sha256 says $expected." \
            "The bundle is refused: the pod serves nothing from it."
}

# Checks every entry before anything is unpacked, by the rules of downloadBundle in the sdk. Also refuses entries that
# tar would silently correct.
check_archive() {
    if [ "$(head -c 2 "$archive")" != "$(printf '\037\213')" ]; then
        refuse "The bundle is not a gzipped tar archive (.tar.gz)." "Check that the link is the bundleUrl of an export."
        return
    fi
    limit=$((MAX_SITE_MIB * 1048576))
    rm -f "$work"/*-failed
    # Decompresses the archive only once for its size and both lists.
    rm -f "$work"/*.fifo && mkfifo "$work/entries.fifo" "$work/names.fifo"
    list_entries -tvf < "$work/entries.fifo" > "$work/entries" &
    list_entries -tf < "$work/names.fifo" > "$work/names" &
    unpacked=$({ gzip -dc "$archive" 2> /dev/null || : > "$work/gzip-failed"; } | head -c $((limit + 1)) |
        tee "$work/entries.fifo" "$work/names.fifo" | wc -c)
    wait
    if [ "$unpacked" -gt "$limit" ]; then
        refuse_size
        return
    fi
    if [ -e "$work/gzip-failed" ]; then
        refuse "The bundle is not a whole gzip archive: it is truncated or damaged."
        return
    fi
    if grep -q 'emoving leading' "$work/tar.log"; then
        refuse "The bundle contains a path that leaves its folder (absolute, or with '..')." \
            "The bundle is refused as a whole."
        return
    fi
    if [ -e "$work/tar-failed" ] && [ "$(wc -l < "$work/entries")" -le "$MAX_FILES" ]; then
        refuse "The bundle is not a whole tar archive: it is truncated or damaged."
        return
    fi
    # busybox lists a hard link as an empty file with an arrow.
    unwanted=$(awk '!/^[-d]/ || (/^-/ && $3 == 0 && / -> /) { print substr($1, 1, 1); exit }' "$work/entries")
    if [ -n "$unwanted" ]; then
        refuse "The bundle contains a link, device or other special entry (type '$unwanted')." \
            "Only files and folders are accepted."
        return
    fi
    judge_names
}

# Prints one line per entry, up to one more than the limit. Reads its input to the end, because an unread pipe would
# block its writer.
list_entries() {
    { tar "$1" - 2>> "$work/tar.log" || : > "$work/tar-failed"; } | head -n $((MAX_FILES + 1))
    cat > /dev/null
}

refuse_size() {
    refuse "The bundle unpacks to more than fetch.limits.siteMiB ($MAX_SITE_MIB MiB; each file and folder counts 4 KiB \
plus its content)." "Raise the limit if that is expected."
}

# Also counts folders without an entry. GNU tar prints bytes beyond ASCII as \ooo.
judge_names() {
    verdict=$(awk -v types="$work/entries" -v room=$(((limit - unpacked) / 4096)) -v most="$MAX_FILES" '
        function end(verdict) { print verdict; exit }
        function refuse_entry(why) {
            gsub(/[^ -~]/, "?", name)
            end("entry The entry \"" (length(name) > 120 ? substr(name, 1, 120) "..." : name) "\" " why)
        }
        function count() {
            count_ += 1
            if (count_ > most) end("files")
            if (count_ > room) end("size")
        }
        {
            name = $0
            getline type < types
            count()
            if (name ~ /^[A-Za-z]:/) refuse_entry("has a drive letter in its path.")
            plain = name
            gsub(/\\[0-7][0-7][0-7]/, "x", plain)
            parts = split(plain, lengths, "/")
            split(name, segments, "/")
            path = ""
            depth = 0
            last = 0
            for (i = 1; i <= parts; i++) if (segments[i] != "" && segments[i] != ".") last = i
            for (i = 1; i <= last; i++) {
                if (segments[i] == "" || segments[i] == ".") continue
                depth += 1
                if (depth > 64 || length(lengths[i]) > 255) refuse_entry("has a path that is too long.")
                path = path "/" segments[i]
                if (i < last && path in files) refuse_entry("conflicts with another entry of that name.")
                if (i < last && !(path in folders)) { folders[path] = 1; count() }
            }
            if (type ~ /^d/) {
                if (path in files) refuse_entry("conflicts with another entry of that name.")
                if (path != "") folders[path] = 1
            } else {
                if (path == "") refuse_entry("names no file.")
                if (path in files || path in folders) refuse_entry("conflicts with another entry of that name.")
                files[path] = 1
            }
        }' "$work/names")
    case $verdict in
        "") ;;
        files) refuse "The bundle contains more than fetch.limits.files ($MAX_FILES) files and folders." \
            "Raise the limit if that is expected." ;;
        size) refuse_size ;;
        *) refuse "${verdict#entry }" "The bundle is refused as a whole." ;;
    esac
}

unpack() {
    public=$work/public
    if ! (
        rm -rf "$public" && mkdir "$public" && cd "$public" && limit_file_size "$MAX_SITE_MIB" &&
            gzip -dc "$archive" | tar -xof - 2> /dev/null && chmod -R u=rwX,go=rX "$public"
    ); then
        refuse "The bundle could not be unpacked." "See siteVolumeSizeLimit and fetch.limits.siteMiB."
        return
    fi
    # Check the unpacked files, too: this does not depend on how a tar prints its list.
    if [ -n "$(find "$public" ! -type d ! -type f | head -n 1)$(find "$public" -type f -links +1 | head -n 1)" ]; then
        refuse "The bundle unpacked to a link or special file." "Only files and folders are accepted."
        return
    fi
    # Only the unpacked files show control characters reliably: a line break in a name splits its line in the list.
    if [ -n "$(find "$public" -name '*[[:cntrl:]]*' | head -n 1)" ]; then
        refuse "An entry has control characters in its path." "The bundle is refused as a whole."
        return
    fi
    if [ -n "$(find "$public" -name '*\\*' | head -n 1)" ]; then
        refuse "An entry has a backslash in its path." "The bundle is refused as a whole."
        return
    fi
    if [ -z "$(find "$public" -type f -name '*.html' | head -n 1)" ]; then
        refuse "The bundle contains no .html page: it is not a documentation export."
        return
    fi
}

# nginx builds ETags from time and size. Our exports give each file a time that changes with its content. Other archives
# have one fixed time for many files, so browsers would not notice a changed page of the same size. Files that share
# their time therefore get a time from the bundle's digest, which is the same on all pods.
set_times() {
    seconds=$(printf '%d' "0x$(printf '%s' "$digest" | cut -c 1-7)")
    set -- "$public"
    [ ! -d "$private" ] || set -- "$public" "$private"
    if ! {
        find "$@" -type f -exec stat -c '%Y %n' {} + > "$work/times" && awk '
            {
                time = $1
                name = substr($0, length(time) + 2)
                if (time < 1000000000) print name
                else if (!(time in first)) first[time] = name
                else {
                    if (first[time] != "") print first[time]
                    first[time] = ""
                    print name
                }
            }' "$work/times" > "$work/times-alike" &&
            tr '\n' '\0' < "$work/times-alike" | xargs -0 -r touch -d "@$seconds"
    }; then
        refuse "The files' modification times, by which browsers detect changes, could not be set." \
            "Use an image with stat, touch, awk and xargs."
    fi
}

accept() { check_digest && check_archive && unpack && read_redirects && split_private_files && set_times; }

# The map of old addresses becomes entries of nginx.conf's maps. A bundle with an unusable map is served without the
# map, because the pages at the old addresses redirect as well.
read_redirects() {
    map=$public/static-export/redirects.map
    rm -rf "$work/redirects" && mkdir "$work/redirects"
    [ -f "$map" ] || return 0
    if [ "$(wc -c < "$map")" -gt 4194304 ]; then
        log "Warning: redirects.map is not used, because it is larger than 4 MiB."
        return
    fi
    if awk -v out="$work/redirects" -f "${0%/*}/redirects.awk" "$map" > "$work/redirects.log"; then
        sed 's/^/static-export: Warning: redirects.map: /' "$work/redirects.log"
    else
        rm -rf "$work/redirects" && mkdir "$work/redirects"
        log "Warning: redirects.map could not be read, so it is not used."
    fi
}

# --- cache -----------------------------------------------------------------------------------------------------------

# A failure to write the cache does not fail this pod: only later pods lose their fallback.
save_to_cache() {
    [ -n "$CACHE_DIR" ] || return 0
    mkdir -p "$CACHE_DIR" 2> /dev/null || true
    partial=$CACHE_DIR/.$EXPORT_ID.${HOSTNAME:-pod}
    kept=$CACHE_DIR/$EXPORT_ID.$digest.tar.gz
    if cp "$archive" "$partial" 2> /dev/null && mv -f "$partial" "$kept"; then
        # Keep one copy per export, even if the platform packs the export again with different bytes.
        for other in "$CACHE_DIR/$EXPORT_ID".*.tar.gz; do [ "$other" = "$kept" ] || rm -f "$other"; done
        # shellcheck disable=SC2012 # the names are ours: hexadecimal digits only
        ls -t "$CACHE_DIR" | grep '^[0-9a-f]*\.[0-9a-f]*\.tar\.gz$' | grep -v "^$EXPORT_ID\." |
            tail -n +$((CACHE_RETAINED + 1)) | while read -r old; do rm -f "$CACHE_DIR/$old"; done
        # Removes partial files of pods that were killed while copying.
        find "$CACHE_DIR" -name '.*' -type f -mmin +1440 -exec rm -f {} + 2> /dev/null || true
        log "Saved the bundle in the cache."
    else
        rm -f "$partial" 2> /dev/null || true
        log "Warning: could not save the bundle in the cache (full, read-only, or not writable for the pods' user?)."
    fi
}

# The digest in the name was computed when the file was saved, so a damaged copy is detected and not served.
load_from_cache() {
    [ -n "$CACHE_DIR" ] || return 1
    for cached in "$CACHE_DIR/$EXPORT_ID".*.tar.gz; do
        [ -f "$cached" ] || continue
        cp "$cached" "$archive" 2> /dev/null || continue
        saved_digest=${cached##*/"$EXPORT_ID".}
        saved_digest=${saved_digest%.tar.gz}
        read_digest=$(digest_of "$archive")
        if [ "$read_digest" != "$saved_digest" ]; then
            log "A cached copy is damaged: its SHA-256 was $saved_digest when it was saved, and is now $read_digest."
            continue
        fi
        accept && return 0
        log "A cached copy is not usable: $reason"
    done
    return 1
}

# Readers who opened a page of the previous export request its styles and scripts from pods with the new export, too.
# The cache keeps an export's theme files for 30 days after the last pod has started with that export. The names of
# theme files contain the beginning of their SHA-256.
share_hashed_files() {
    [ -n "$CACHE_DIR" ] || return 0
    hashed=$CACHE_DIR/hashed
    (cd "$public" && list_hashed_files) | while IFS= read -r file; do
        partial=$hashed/.${HOSTNAME:-pod}
        mkdir -p "$hashed/${file%/*}" && cp "$public/$file" "$partial" && mv -f "$partial" "$hashed/$file" || break
    done 2> /dev/null
    [ -d "$hashed" ] || return 0
    find "$hashed" -type f -mtime +30 -exec rm -f {} + 2> /dev/null || true
    (cd "$hashed" && list_hashed_files) | while IFS= read -r file; do
        if [ -e "$public/$file" ] || [ ! -d "$public/${file%/*}" ] || ! cp "$hashed/$file" "$work/hashed"; then
            continue
        fi
        digits=${file%.*}
        case $(digest_of "$work/hashed") in
            "${digits##*.}"*) chmod u=rw,go=r "$work/hashed" && mv "$work/hashed" "$public/$file" ;;
        esac
    done
}

list_hashed_files() {
    digit='[0-9a-f]'
    eight=$digit$digit$digit$digit$digit$digit$digit$digit
    find . -type f -path '*/static-export/*' \( -name "*.$eight.css" -o -name "*.$eight.js" \) | head -n 500
}

# --- main ------------------------------------------------------------------------------------------------------------

trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT

# After a node restart, the init container runs again in the same pod, and the link may have expired by then.
if [ "$(cat "$SITE_DIR/export-id" 2> /dev/null)" = "$EXPORT_ID" ]; then
    log "This pod's site is already unpacked: nothing to fetch."
    exit 0
fi
for made in public private access redirects healthz.json fetched.json export-id; do rm -rf "${SITE_DIR:?}/$made"; done
rm -rf "$work"
mkdir "$work"

from_cache=0
if fetch && accept; then
    log "Fetched $(($(wc -c < "$archive"))) bytes from $link_host, SHA-256 $digest."
    save_to_cache
else
    fetch_reason=$reason
    fetch_advice=$advice
    if load_from_cache; then
        from_cache=1
        log "SERVING FROM THE CACHE: $fetch_reason The cache contains this exact export (SHA-256 $digest), so the site" \
            "is complete. Renew the link ('pulumi up') for pods that do not share this cache."
    else
        reason=$fetch_reason
        advice=$fetch_advice
        [ -z "$CACHE_DIR" ] || reason="$reason The cache does not contain this export either."
        give_up
    fi
fi

share_hashed_files
for made in public private access redirects; do [ ! -e "$work/$made" ] || mv "$work/$made" "$SITE_DIR/$made"; done
printf '%s\n' "$HEALTHZ_JSON" > "$SITE_DIR/healthz.json"
printf '{"attempts":%d,"bytes":%d,"from_cache":%d}\n' "$attempt" $(($(wc -c < "$archive"))) $from_cache \
    > "$SITE_DIR/fetched.json"
# Written last, because this file marks the site as complete.
printf '%s' "$EXPORT_ID" > "$SITE_DIR/export-id"
log "Unpacked $(($(find "$SITE_DIR/public" -type f | wc -l))) files for everybody. Ready to serve."
[ ! -e "$SITE_DIR/private" ] ||
    log "$(($(find "$SITE_DIR/private" -type f | wc -l))) files are for readers in certain groups."
