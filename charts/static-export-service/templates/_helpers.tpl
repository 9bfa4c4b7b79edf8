{{- define "static-export-service.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "static-export-service.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "static-export-service.labels" -}}
{{ include "static-export-service.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "static-export-service.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "static-export-service.fullname" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "static-export-service.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "static-export-service.agentServiceAccountName" -}}
{{- with .Values.agents.serviceAccount }}
{{- if .create }}{{ default (printf "%s-agents" (include "static-export-service.fullname" $)) .name }}{{ else }}{{ default "default" .name }}{{ end }}
{{- end }}
{{- end }}

{{/* The chart's own image, unless another repository is named. */}}
{{- define "static-export-service.agentImage" -}}
{{- with .Values.agents.image }}
{{- if .repository }}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ with .digest }}@{{ . }}{{ end }}{{ else }}{{ include "static-export-service.image" $ }}{{ end }}
{{- end }}
{{- end }}

{{/* What serve and the agents' workers are told alike. */}}
{{- define "static-export-service.agentProjectArgs" -}}
{{- range $project, $repository := .Values.agents.projects }}
- {{ printf "--agent-project=%s=%s" $project $repository | quote }}
{{- end }}
{{- end }}

{{/* What serve and work are told alike. */}}
{{- define "static-export-service.sharedArgs" -}}
{{- range $domain, $folder := .Values.sites }}
- {{ printf "--site=%s=%s" $domain $folder | quote }}
{{- end }}
- --data-dir=/var/lib/static-export
{{ include "static-export-service.bucketArgs" . }}
{{- with .Values.bucket.publicEndpoint }}
- {{ printf "--bucket-public-endpoint=%s" . | quote }}
{{- end }}
- --health=0.0.0.0:9090
- --log-format=json
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "static-export-service.bucketArgs" -}}
- {{ printf "--bucket=%s" .Values.bucket.url | quote }}
{{- with .Values.bucket.endpoint }}
- {{ printf "--bucket-endpoint=%s" . | quote }}
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

{{/* What all pods have in common. */}}
{{- define "static-export-service.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
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

{{/* @param list of the root context and the component */}}
{{- define "static-export-service.spread" -}}
{{- $root := first . }}
topologySpreadConstraints:
{{- with $root.Values.topologySpreadConstraints }}
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
