{{/*
Refuses a group of values that is null or absent, which otherwise fails with an error about a template.
@param list of the root context and the groups that not every chart has
*/}}
{{- define "static-export-common.assertGroups" -}}
{{- $values := (first .).Values -}}
{{- range $path := concat (list "global" "serviceAccount" "service" "ingress" "httpRoute" "prometheusRule" "dashboard" "networkPolicy" "probes") (rest .) -}}
{{- $group := $values -}}
{{- range splitList "." $path -}}
{{- $group = get (default (dict) $group) . -}}
{{- end -}}
{{- if not (kindIs "map" $group) -}}
{{- fail (printf "the values have no %s: do not set it to null, and upgrade with --reset-then-reuse-values instead of --reuse-values." $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The name of objects. Helm allows 53 characters for a release, and two releases may differ only in the last ones. */}}
{{- define "static-export-common.fullname" -}}
{{- include "static-export-common.nameOfLength" (list . 52) -}}
{{- end -}}

{{/* @param list of the root context and the largest length */}}
{{- define "static-export-common.nameOfLength" -}}
{{- $max := last . | int -}}
{{- with first . -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- if gt (len .Release.Name) $max -}}
{{- $full = printf "%s-%s" (trunc (sub $max 11 | int) $full | trimSuffix "-") (.Release.Name | sha256sum | trunc 10) -}}
{{- end -}}
{{- $full = default $full .Values.fullnameOverride | trunc $max | trimSuffix "-" -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" $full) -}}
{{- fail (printf "%q cannot name a Service: it must begin with a letter, and have only lower-case letters, digits and hyphens. Set fullnameOverride, or change the release's name or nameOverride." $full) -}}
{{- end -}}
{{- $full -}}
{{- end -}}
{{- end -}}

{{/* Selects the pods. A Deployment's selector is immutable, so nothing that varies may be added here. */}}
{{- define "static-export-common.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "static-export-common.labels" -}}
{{ include "static-export-common.labelsWith" (list . (dict)) }}
{{- end -}}

{{/* Kustomize and Flux refuse a repeated key, so maps of values are merged. @param list of the root context and further labels */}}
{{- define "static-export-common.labelsWith" -}}
{{- $own := include "static-export-common.ownLabels" (first .) | fromYaml }}
{{- merge $own (default (dict) (last .)) (default (dict) (first .).Values.commonLabels) | toYaml }}
{{- end -}}

{{- define "static-export-common.ownLabels" -}}
{{ include "static-export-common.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") | trunc 63 | regexFind "^.*[A-Za-z0-9]" | quote }}
{{- end -}}

{{/* A file of the chart, or of this library. @param list of the root context and the name */}}
{{- define "static-export-common.file" -}}
{{- $path := last . | printf "files/%s" -}}
{{- with first . -}}
{{- default ((index .Subcharts "static-export-common").Files.Get $path) (.Files.Get $path) -}}
{{- end -}}
{{- end -}}
