{{- define "documentation-sites.fullname" -}}
{{- include "static-export-common.assertGroups" (list . "image" "access" "access.header" "nginx" "metrics" "metrics.podMonitor" "podDisruptionBudget" "autoscaling" "bucket" "bucket.certificateAuthority") -}}
{{- include "static-export-common.fullname" . -}}
{{- end -}}

{{- define "documentation-sites.configName" -}}
{{- include "static-export-common.configName" (list . (include "documentation-sites.files" .)) -}}
{{- end -}}

{{/* The files of the ConfigMap, separate so that their digest does not depend on labels. */}}
{{- define "documentation-sites.files" -}}
nginx.conf: {{ tpl (.Files.Get "files/nginx.conf") . | toJson }}
start.sh: {{ tpl (.Files.Get "files/start.sh") . | toJson }}
settings.js: {{ printf "export default %s;\n" (include "documentation-sites.settings" .) | toJson }}
{{- range list "401.html" "404.html" "503.html" "bucket.js" "drain.sh" "edge.js" "metrics.js" "rules.js" "test-sites.sh" }}
{{ . }}: {{ include "static-export-common.file" (list $ .) | toJson }}
{{- end }}
{{- end -}}

{{/* The values that the scripts read. */}}
{{- define "documentation-sites.settings" -}}
{{- $header := .Values.access.header -}}
{{- dict
    "base" (ternary (printf "/%s/" .Values.bucket.name) "/" .Values.bucket.pathStyle)
    "prefix" .Values.bucket.prefix
    "host" (include "documentation-sites.bucketHost" .)
    "region" .Values.bucket.region
    "groupsVariable" (include "documentation-sites.headerVariable" $header.groups)
    "userVariable" (include "documentation-sites.headerVariable" $header.user)
    "separator" $header.separator
    "signInUrl" $header.signInUrl | toJson -}}
{{- end -}}

{{/* nginx's variable for a request header. */}}
{{- define "documentation-sites.headerVariable" -}}
{{- with . -}}http_{{ . | lower | replace "-" "_" }}{{- end -}}
{{- end -}}

{{/* The request headers that an answer to a reader depends on, for Vary. */}}
{{- define "documentation-sites.readerHeaders" -}}
{{- $header := .Values.access.header -}}
{{- compact (list "Cookie" $header.groups (ternary $header.user "" (ne $header.groups "")) "Accept") | join ", " -}}
{{- end -}}

{{/*
The size of the volume with the cache in MiB: twice the files of nginx.conf, because files are written before excess
ones are removed, with the records and 1 GiB.
*/}}
{{- define "documentation-sites.cacheMiB" -}}9280{{- end -}}

{{/* Scheme, host and port of the storage. */}}
{{- define "documentation-sites.endpoint" -}}
{{- default (printf "https://s3.%s.amazonaws.com" .Values.bucket.region) .Values.bucket.endpoint | trimSuffix "/" -}}
{{- end -}}

{{/* The host of requests to the bucket, with a port other than the scheme's. */}}
{{- define "documentation-sites.bucketHost" -}}
{{- $host := regexReplaceAll ":(80|443)$" (include "documentation-sites.endpoint" .) "" | trimPrefix "https://" | trimPrefix "http://" -}}
{{- ternary $host (printf "%s.%s" .Values.bucket.name $host) .Values.bucket.pathStyle -}}
{{- end -}}

{{/* Whether the storage is at an address, which needs no DNS. */}}
{{- define "documentation-sites.isAddress" -}}
{{- if regexMatch "^[0-9.]+(:[0-9]+)?$" (include "documentation-sites.bucketHost" .) -}}yes{{- end -}}
{{- end -}}

{{/* The server of nginx's upstream; by name, it is looked up again when its DNS entry expires. */}}
{{- define "documentation-sites.bucketServer" -}}
{{- $host := include "documentation-sites.bucketHost" . -}}
{{- $port := include "static-export-common.portOf" (include "documentation-sites.endpoint" .) -}}
{{- regexReplaceAll ":[0-9]+$" $host "" }}:{{ $port }}{{ ternary "" " resolve" (ne (include "documentation-sites.isAddress" .) "") -}}
{{- end -}}

{{/* Refuses values that contradict each other, which a schema cannot check. */}}
{{- define "documentation-sites.assertPods" -}}
{{- if hasKey .Values.access "oidc" -}}
{{- fail "access.oidc is not supported by documentation-sites, because each host name needs its own redirect address at the identity provider. Put a proxy that signs readers in, such as oauth2-proxy, in front of the sites, and name its headers in access.header; or install the site with the chart documentation-site." -}}
{{- end -}}
{{- if hasKey .Values "answer" -}}
{{- fail "answer is not supported by documentation-sites, because its server reads one bundle. Install a site that needs search and an assistant for programs with the chart documentation-site." -}}
{{- end -}}
{{- include "static-export-common.assertRollout" . -}}
{{- end -}}
