{{- define "static-export-service.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) }}
{{- default $full .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "static-export-service.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "static-export-service.labels" -}}
{{ include "static-export-service.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "static-export-service.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "static-export-service.fullname" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "static-export-service.image" -}}
{{ with .Values.global.imageRegistry }}{{ . }}/{{ end }}{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "static-export-service.agentServiceAccountName" -}}
{{- with .Values.agents.serviceAccount }}
{{- if .create }}{{ default (printf "%s-agents" (include "static-export-service.fullname" $)) .name }}{{ else }}{{ default "default" .name }}{{ end }}
{{- end }}
{{- end }}

{{/* The image of a component: the chart's, unless the component names a repository. @param list of the root context and the component's image */}}
{{- define "static-export-service.ownImage" -}}
{{- $ := first . }}
{{- with last . }}
{{- if .repository }}{{ with $.Values.global.imageRegistry }}{{ . }}/{{ end }}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ with .digest }}@{{ . }}{{ end }}{{ else }}{{ include "static-export-service.image" $ }}{{ end }}
{{- end }}
{{- end }}

{{/* The arguments that serve and the agents' workers share. */}}
{{- define "static-export-service.agentProjectArgs" -}}
{{- range $project, $repository := .Values.agents.projects }}
- {{ printf "--agent-project=%s=%s" $project $repository | quote }}
{{- end }}
{{- end }}

{{/* The arguments that serve and work share. */}}
{{- define "static-export-service.sharedArgs" -}}
- --sites-file=/etc/static-export-sites/sites
- --data-dir=/var/lib/static-export
{{ include "static-export-service.bucketArgs" . }}
{{- with .Values.bucket.publicEndpoint }}
- {{ printf "--bucket-public-endpoint=%s" . | quote }}
{{- end }}
- "--health=[::]:9090"
- --log-format=json
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "static-export-service.buildsKey" -}}
{{- include "static-export-service.secretEnv" (dict "STATIC_EXPORT_BUILDS_KEY" (dict "name" .Values.builds.existingSecret "key" .Values.builds.key)) | trim }}
{{- end }}

{{- define "static-export-service.sitesMount" -}}
- { name: site-list, mountPath: /etc/static-export-sites, readOnly: true }
{{- end }}

{{- define "static-export-service.sitesVolume" -}}
- name: site-list
  configMap: { name: {{ printf "%s-sites" (include "static-export-service.fullname" .) | quote }} }
{{- end }}

{{- define "static-export-service.bucketArgs" -}}
- {{ printf "--bucket=%s" .Values.bucket.url | quote }}
{{- with .Values.bucket.endpoint }}
- {{ printf "--bucket-endpoint=%s" . | quote }}
{{- end }}
{{- end }}

{{/* @param variables by name, with the Secret and the key of each */}}
{{- define "static-export-service.secretEnv" -}}
{{- range $variable, $secret := . }}
- name: {{ $variable | quote }}
  valueFrom:
    secretKeyRef: { name: {{ $secret.name | quote }}, key: {{ $secret.key | quote }} }
{{- end }}
{{- end }}

{{- define "static-export-service.databaseEnv" -}}
- name: HOME
  value: /tmp
- name: STATIC_EXPORT_DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.database.existingSecret | quote }}, key: {{ .Values.database.key | quote }} }
{{- end }}

{{- define "static-export-service.env" -}}
{{ include "static-export-service.databaseEnv" . }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{ include "static-export-service.bucketEnv" (list . .Values.bucket) }}
{{- end }}

{{/* @param list of the root context and the values that name the Secret with credentials */}}
{{- define "static-export-service.bucketEnv" -}}
{{- $root := first . }}
{{- with last . -}}
- name: AWS_REGION
  value: {{ $root.Values.bucket.region | quote }}
{{- if .existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .accessKeyIdKey | quote }} }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .secretAccessKeyKey | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/*
Begins a Deployment, up to the specification of its pods.
@param dict of the root context, the component, its values, and optionally: a strategy, and annotations of the pods
*/}}
{{- define "static-export-service.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ printf "%s-%s" (include "static-export-service.fullname" .root) .component | quote }}
  labels:
    {{- include "static-export-service.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  revisionHistoryLimit: {{ .root.Values.revisionHistoryLimit }}
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicaCount }}
  {{- end }}
  {{- with .strategy }}
  strategy: {{- toYaml . | nindent 4 }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "static-export-service.selectorLabels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      {{- include "static-export-service.podMetadata" . | nindent 6 }}
    spec:
      terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
      {{- with .values.runtimeClassName }}
      runtimeClassName: {{ . | quote }}
      {{- end }}
      {{- if not (dig "hostUsers" true .values) }}
      hostUsers: false
      {{- end }}
      {{- include "static-export-service.podSettings" (list .root .values) | nindent 6 }}
      {{- include "static-export-service.spread" (list .root .values .component) | nindent 6 }}
{{- end }}

{{/* @param dict of the root context, the component, and optionally annotations */}}
{{- define "static-export-service.podMetadata" -}}
labels:
  {{- include "static-export-service.selectorLabels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with merge (dict) .root.Values.podLabels .root.Values.commonLabels }}{{ toYaml . | nindent 2 }}{{- end }}
{{- with merge (dict) (default (dict) .annotations) (default (dict) .root.Values.podAnnotations) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The part that all pods share. @param list of the root context and the component's values, which come first */}}
{{- define "static-export-service.podSettings" -}}
{{- $root := first . }}
{{- $own := last . -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- range $setting := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" "dnsConfig" "hostAliases" }}
{{- with default (get $root.Values $setting) (get $own $setting) }}
{{ $setting }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with $own.initContainers }}
initContainers: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "static-export-service.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 20
  timeoutSeconds: 5
{{- end }}

{{/* @param list of the root context, the values of the component, and its name */}}
{{- define "static-export-service.spread" -}}
{{- $root := first . }}
topologySpreadConstraints:
{{- with default $root.Values.topologySpreadConstraints (index . 1).topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "static-export-service.selectorLabels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ last . }}
{{- end }}
{{- end }}

{{/* An alert with its runbook. @param list of the root context, and the name, time, severity, expression and summary */}}
{{- define "static-export-service.alert" -}}
- alert: {{ index . 1 }}
  expr: {{ index . 4 | quote }}
  for: {{ index . 2 }}
  labels: { severity: {{ index . 3 }} }
  annotations:
    {{- with (first .).Values.prometheusRule.runbookUrl }}
    runbook_url: {{ printf "%s#%s" . (index $ 1 | lower) | quote }}
    {{- end }}
    summary: {{ last . | quote }}
{{- end }}
