{{/* Checks the link here, because a schema's error message would print it. */}}
{{- define "documentation-site.assertBundleUrl" -}}
{{- if not (regexMatch "^https?://[^/?#@\\s\"\\\\]+([/?#][!#-\\[\\]-~]*)?$" (include "documentation-site.bundleUrl" .)) -}}
{{- fail "staticExport.bundleUrl must be an http(s) address without user name and white space: pass StaticExportBundle's bundleUrl or BundleMirror's url unchanged (it is not shown here, because it is a secret)." -}}
{{- end -}}
{{- if not (include "documentation-site.bundlePort" .) -}}{{- end -}}
{{- end -}}

{{/* Refuses values that contradict each other, which a schema cannot check. */}}
{{- define "documentation-site.assertPods" -}}
{{- if not (.Files.Get "files/fetch-bundle.cjs") -}}
{{- $missing := "files/fetch-bundle.cjs is missing from the chart: in a checkout, run `npm run build` first; the released chart contains it." -}}
{{- fail $missing -}}
{{- /* `helm lint` goes on after fail, but not after a template that does not exist. */ -}}
{{- include $missing . -}}
{{- end -}}
{{- with .Values.access -}}
{{- if and .header.groups .oidc.issuer -}}
{{- fail "access.header and access.oidc must not both be set: only one of them can identify readers. Remove access.header.groups or access.oidc.issuer." -}}
{{- end -}}
{{- if .oidc.issuer -}}
{{- if semverCompare "<1.29-0" $.Capabilities.KubeVersion.Version -}}
{{- fail (printf "access.oidc needs Kubernetes 1.29 or later, which runs sidecars, but this is %s. Use access.header with your own proxy." $.Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- range list "clientId" "existingSecret" "url" -}}
{{- if not (get $.Values.access.oidc .) -}}
{{- fail (printf "access.oidc.%s is required with access.oidc.issuer." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "static-export-common.assertRollout" . -}}
{{- if .Values.answer.enabled -}}
{{- if semverCompare "<1.29-0" $.Capabilities.KubeVersion.Version -}}
{{- fail (printf "answer.enabled needs Kubernetes 1.29 or later, which runs sidecars, but this is %s." $.Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if or (not .Values.answer.image.repository) (not (or .Values.answer.image.tag .Values.answer.image.digest)) -}}
{{- fail "answer.image.repository and answer.image.tag (or answer.image.digest) are required with answer.enabled: an image with the static-export command, which the Dockerfile of the project builds." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.answer.enabled (eq (toJson .Values.features.documentationSearch) "false") -}}
{{- fail "answer.enabled needs features.documentationSearch, which is false: remove one of them." -}}
{{- end -}}
{{- if and .Values.answer.assistant.endpoint (eq (toJson .Values.features.aiAssistant) "false") -}}
{{- fail "answer.assistant.endpoint needs features.aiAssistant, which is false: remove one of them." -}}
{{- end -}}
{{- with .Values.answer.assistant -}}
{{- if and .endpoint (not $.Values.answer.enabled) -}}
{{- fail "answer.assistant.endpoint needs answer.enabled: the assistant is a part of this server." -}}
{{- end -}}
{{- if ne (empty .endpoint) (empty .model) -}}
{{- fail "answer.assistant.endpoint and answer.assistant.model belong together: set both." -}}
{{- end -}}
{{- end -}}
{{- with .Values.cache -}}
{{- if and .enabled (not .existingClaim) (has "ReadWriteOncePod" .accessModes) -}}
{{- fail "cache.accessModes must not contain ReadWriteOncePod: it allows a single pod, but a rollout starts the new pod while the old one runs, so it would never finish. Use ReadWriteMany, or ReadWriteOnce on one node." -}}
{{- end -}}
{{- end -}}
{{- end -}}
