{{/* What stands between the groups of a reader; empty where the site does not tell readers apart. */}}
{{- define "documentation-site.groupsSeparator" -}}
{{- if .Values.access.header.groups -}}
{{- .Values.access.header.separator -}}
{{- end -}}
{{- end -}}

{{/* nginx's variable for a request header. */}}
{{- define "documentation-site.headerVariable" -}}
$http_{{ . | lower | replace "-" "_" }}
{{- end -}}

{{/* The request headers that tell who the reader is, for Vary. */}}
{{- define "documentation-site.readerHeaders" -}}
{{- with .Values.access.header -}}
{{- compact (list "Cookie" .groups .user (ternary "Accept" "" (ne .signInUrl ""))) | join ", " -}}
{{- end -}}
{{- end -}}

{{/* nginx.conf, http: maps from the request to its reader. */}}
{{- define "documentation-site.readerMaps" -}}
{{- with .Values.access.header }}
{{- $groups := include "documentation-site.headerVariable" .groups }}
# nginx joins headers of one name with ", ": a visitor's own may be among them, so none of them counts.
map {{ $groups }} $groups_of_reader {
    default {{ $groups }};
    {{- if not (contains ", " .separator) }}
    "~, " "";
    {{- end }}
}
map "$groups_of_reader{{ with .user }}{{ include "documentation-site.headerVariable" . }}{{ end }}" $is_signed_in {
    "" "";
    default yes;
}
{{- if .signInUrl }}
map "$request_method $http_accept" $wants_page {
    default "";
    "~^(?:GET|HEAD) .*text/html" yes;
}
# Only characters that cannot end a query parameter.
map $request_uri $path_to_return_to {
    default "/";
    "~^(?<returned>/(?!/)(?:[A-Za-z0-9._~!@:/-]|%20|%[89A-Fa-f][0-9A-Fa-f])*)(?:\?|$)" $returned;
}
{{- end }}
{{- end }}
{{- end -}}

{{/* nginx.conf, a location: asks who the reader is, which sets $reader, or ends with 401. */}}
{{- define "documentation-site.askForReader" -}}
{{- $separator := include "documentation-site.groupsSeparator" . -}}
error_page 401 = @signed-out;
error_page 404 @not-found;
auth_request /_private/-reader;
auth_request_set $reader {{ printf "%s$groups_of_reader%s" $separator $separator | quote }};
{{- end -}}

{{/* nginx.conf, server: answers 204 for who is signed in, and 401 for all others. */}}
{{- define "documentation-site.reader" -}}
location = /_private/-reader {
    internal;
    if ($is_signed_in) {
        return 204;
    }
    return 401;
}
{{- end -}}

{{/* nginx.conf, @signed-out: leads readers of pages to where they can sign in. */}}
{{- define "documentation-site.signIn" -}}
{{- with .Values.access.header.signInUrl -}}
if ($wants_page) {
    return 302 {{ . | replace "{path}" "$path_to_return_to" | quote }};
}
{{- end -}}
{{- end -}}
