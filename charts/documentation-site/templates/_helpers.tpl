{{- define "documentation-site.fullname" -}}
{{- include "static-export-common.assertGroups" (list . "image" "access" "access.header" "nginx" "metrics" "metrics.podMonitor" "podDisruptionBudget" "autoscaling" "access.oidc" "staticExport" "fetch" "fetch.image" "fetch.limits" "fetch.certificateAuthority" "cache" "answer" "answer.assistant") -}}
{{- include "static-export-common.fullname" . -}}
{{- end -}}

{{- define "documentation-site.configName" -}}
{{- include "static-export-common.configName" (list . (include "documentation-site.files" .)) -}}
{{- end -}}

{{/* The link, without the newline at the end of a file from --set-file. */}}
{{- define "documentation-site.bundleUrl" -}}
{{- trim .Values.staticExport.bundleUrl -}}
{{- end -}}

{{/* The link without query and fragment, which a renewal changes. */}}
{{- define "documentation-site.bundleAddress" -}}
{{- regexReplaceAll "[?#].*$" (include "documentation-site.bundleUrl" .) "" -}}
{{- end -}}

{{/* Identifies an export. The pod template contains only this and not the link, so a renewed link rolls no pods. */}}
{{- define "documentation-site.exportId" -}}
{{- $export := .Values.staticExport -}}
{{- $parts := list $export.version (default "" $export.sha256 | lower) (include "documentation-site.bundleAddress" .) -}}
{{/* Versioned storage (S3, Google, Azure) has the object's version in the query, next to the signature. */}}
{{- range regexFindAll "(?i)[?&](version|versionid|generation|snapshot)=[^&#]+" (include "documentation-site.bundleUrl" .) -1 | sortAlpha -}}
{{- $parts = append $parts (regexReplaceAll "^[?&]" . "") -}}
{{- end -}}
{{- $parts | toJson | sha256sum -}}
{{- end -}}

{{/* The Secret with the link of the export. */}}
{{- define "documentation-site.secretName" -}}
{{- printf "%s-%s" (include "documentation-site.fullname" .) (include "documentation-site.exportId" . | trunc 10) -}}
{{- end -}}

{{/* When the link expires, in seconds since 1970, as parseLinkExpiry of the sdk reads it. Empty if it does not say. */}}
{{- define "documentation-site.linkExpires" -}}
{{- $query := dict -}}
{{- range regexFindAll "[?&][^=&#]+=[^&#]*" (include "documentation-site.bundleUrl" .) -1 -}}
{{- $pair := splitn "=" 2 . -}}
{{- $_ := set $query ($pair._0 | trunc -100 | substr 1 -1 | lower) ($pair._1 | replace "%3A" ":" | replace "%3a" ":") -}}
{{- end -}}
{{- $seconds := 0 -}}
{{- range $kind := list "amz" "goog" -}}
{{- $date := get $query (printf "x-%s-date" $kind) | toString -}}
{{- $for := get $query (printf "x-%s-expires" $kind) | toString -}}
{{- if and (regexMatch "^[0-9]{8}T[0-9]{6}Z$" $date) (regexMatch "^[0-9]{1,9}$" $for) (not $seconds) -}}
{{- $seconds = printf "%s+0000" $date | toDate "20060102T150405Z-0700" | unixEpoch | int64 | add (int64 $for) -}}
{{- end -}}
{{- end -}}
{{- $end := get $query "se" | toString -}}
{{- if and (not $seconds) (regexMatch "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" $end) -}}
{{- $seconds = printf "%s+0000" $end | toDate "2006-01-02T15:04:05Z-0700" | unixEpoch | int64 -}}
{{- end -}}
{{- $epoch := get $query "expires" | toString -}}
{{- if and (not $seconds) (regexMatch "^[0-9]{1,11}$" $epoch) -}}
{{- $seconds = int64 $epoch -}}
{{- end -}}
{{- if gt (int64 $seconds) 0 -}}{{ int64 $seconds }}{{- end -}}
{{- end -}}

{{/* The size of the volume with the site in MiB, rounded up. */}}
{{- define "documentation-site.siteVolumeMiB" -}}
{{- $suffix := regexFind "[A-Za-z]*$" .Values.siteVolumeSizeLimit -}}
{{- $bytes := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- divf (mulf (.Values.siteVolumeSizeLimit | trimSuffix $suffix | float64) (get $bytes $suffix)) 1048576 | ceil | int64 -}}
{{- end -}}

{{/* The port that the link is fetched from. */}}
{{- define "documentation-site.bundlePort" -}}
{{- include "static-export-common.portOf" (include "documentation-site.bundleAddress" .) -}}
{{- end -}}

{{- define "documentation-site.fetchImage" -}}
{{- include "static-export-common.image" (list . .Values.fetch.image) -}}
{{- end -}}

{{/* The files of the ConfigMap, separate so that their digest does not depend on labels. */}}
{{- define "documentation-site.files" -}}
nginx.conf: {{ tpl (.Files.Get "files/nginx.conf") . | toJson }}
start.sh: {{ tpl (.Files.Get "files/start.sh") . | toJson }}
{{- with include "documentation-site.features" . }}
features.js: {{ printf "%s\n" . | toJson }}
{{- end }}
{{- range list "401.html" "404.html" "drain.sh" "fetch-bundle.cjs" "metrics.js" "test-site.sh" "test-refusal.sh" }}
{{ . }}: {{ include "static-export-common.file" (list $ .) | toJson }}
{{- end }}
{{- end -}}

{{/*
The script that tells pages which features this deployment has, in place of the bundle's own; empty if nothing differs
from the export.
*/}}
{{- define "documentation-site.features" -}}
{{- $features := dict -}}
{{- range $name, $value := .Values.features -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $features = set $features $name $value -}}
{{- end -}}
{{- end -}}
{{- if .Values.answer.enabled -}}
{{- $features = set $features "mcp" true -}}
{{- if and .Values.answer.assistant.endpoint (not (hasKey $features "aiAssistant")) -}}
{{- $features = set $features "aiAssistant" true -}}
{{- end -}}
{{- end -}}
{{- if $features -}}
window.staticExportFeatures={{ $features | toJson }};
{{- end -}}
{{- end -}}

{{/* The settings of the program that fetches, for the init container and for the test of refusals. */}}
{{- define "documentation-site.fetchLimits" -}}
- { name: ATTEMPTS, value: {{ .Values.fetch.attempts | quote }} }
- { name: RETRY_DELAY_SECONDS, value: {{ .Values.fetch.retryDelaySeconds | quote }} }
- { name: ATTEMPT_TIMEOUT_SECONDS, value: {{ .Values.fetch.attemptTimeoutSeconds | quote }} }
- { name: MAX_BUNDLE_MIB, value: {{ .Values.fetch.limits.bundleMiB | quote }} }
- { name: MAX_SITE_MIB, value: {{ .Values.fetch.limits.siteMiB | quote }} }
- { name: MAX_FILES, value: {{ .Values.fetch.limits.files | int64 | quote }} }
{{- end -}}

{{- define "documentation-site.testPodSpec" -}}
restartPolicy: Never
activeDeadlineSeconds: 120
serviceAccountName: {{ include "static-export-common.serviceAccountName" . | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- include "static-export-common.placement" . }}
containers:
  - name: test
    image: {{ include "documentation-site.fetchImage" . | quote }}
    imagePullPolicy: {{ default .Values.image.pullPolicy .Values.fetch.image.pullPolicy | quote }}
    command: [sh, /etc/documentation-site/{{ .script }}]
    env:
      - name: SITE_URL
        value: {{ printf "http://%s:%v" (include "documentation-site.fullname" .) .Values.service.port | quote }}
      - name: EXPECTED_HEALTHZ
        value: {{ include "documentation-site.healthz" . | include "documentation-site.literal" }}
      {{- include "documentation-site.fetchLimits" . | nindent 6 }}
    securityContext: {{- toYaml .Values.containerSecurityContext | nindent 6 }}
    resources: {{- toYaml .Values.fetch.resources | nindent 6 }}
    volumeMounts:
      - { name: config, mountPath: /etc/documentation-site, readOnly: true }
      - { name: tmp, mountPath: /tmp }
volumes:
  - name: config
    configMap: { name: {{ include "documentation-site.configName" . | quote }} }
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- end -}}

{{/* A quoted text for `args` and `env`, in which Kubernetes replaces neither `$(NAME)` nor `$$`. */}}
{{- define "documentation-site.literal" -}}
{{- replace "$" "$$" . | quote -}}
{{- end -}}

{{/* The response of /healthz, which shows the version that a pod serves. */}}
{{- define "documentation-site.healthz" -}}
{{- dict "status" "ok" "version" .Values.staticExport.version | toJson -}}
{{- end -}}
