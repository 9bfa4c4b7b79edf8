{{- define "documentation-sites.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Selects the pods. A Deployment's selector is immutable, so nothing that varies may be added here. */}}
{{- define "documentation-sites.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "documentation-sites.labels" -}}
{{ include "documentation-sites.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Labels of this release's metrics: the operator names the job after the PodMonitor. */}}
{{- define "documentation-sites.metricsFrom" -}}
{{- printf "namespace=%q,job=\"%s/%s\"" .Release.Namespace .Release.Namespace (include "documentation-sites.fullname" .) -}}
{{- end -}}

{{/* The port of an address. */}}
{{- define "documentation-sites.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- end -}}

{{- define "documentation-sites.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "documentation-sites.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* @param list of the root context and an image of the values */}}
{{- define "documentation-sites.image" -}}
{{- with (first .).Values.global.imageRegistry }}{{ . }}/{{ end -}}
{{- with last . -}}
{{- .repository -}}{{- with .tag }}:{{ . }}{{ end -}}{{- with .digest }}@{{ . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* The files of the ConfigMap, separate so that their checksum does not depend on labels. */}}
{{- define "documentation-sites.files" -}}
nginx.conf: {{ tpl (.Files.Get "files/nginx.conf") . | toJson }}
start.sh: {{ tpl (.Files.Get "files/start.sh") . | toJson }}
settings.js: {{ printf "export default %s;\n" (include "documentation-sites.settings" .) | toJson }}
{{- range list "401.html" "404.html" "503.html" "bucket.js" "drain.sh" "edge.js" "metrics.js" "rules.js" "test-sites.sh" }}
{{ . }}: {{ $.Files.Get (printf "files/%s" .) | toJson }}
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
{{- $port := include "documentation-sites.portOf" (include "documentation-sites.endpoint" .) -}}
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
{{- $keepalive := int .Values.nginx.keepaliveSeconds -}}
{{- $drain := int .Values.nginx.drainSeconds -}}
{{- $grace := int .Values.terminationGracePeriodSeconds -}}
{{- if and (gt $drain 0) (le $drain $keepalive) -}}
{{- fail (printf "nginx.drainSeconds (%d) must be greater than nginx.keepaliveSeconds (%d): a pod that is replaced cuts idle connections that outlive its drain. Raise the one or lower the other; 0 turns draining off." $drain $keepalive) -}}
{{- end -}}
{{- if le $grace $drain -}}
{{- fail (printf "terminationGracePeriodSeconds (%d) must be greater than nginx.drainSeconds (%d): Kubernetes kills a pod at its end, in the middle of the drain. Raise the one or lower the other." $grace $drain) -}}
{{- end -}}
{{- with .Values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas (%d) must not be greater than autoscaling.maxReplicas (%d). Raise the one or lower the other." (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.access.header.groups .Values.networkPolicy.enabled (not .Values.networkPolicy.ingressFrom) -}}
{{- fail "access.header trusts a request header, so only the proxy that sets it may reach the pods: name it in networkPolicy.ingressFrom. Set networkPolicy.enabled to false only if something else keeps everybody else away." -}}
{{- end -}}
{{- end -}}

{{/* Different from the selector's labels, so that no Service sends visitors to a test pod. */}}
{{- define "documentation-sites.testLabels" -}}
app.kubernetes.io/name: {{ printf "%s-test" .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}
