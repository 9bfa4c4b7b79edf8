{{/* The commands that run as Jobs, as JSON. */}}
{{- define "static-export-service.jobs" -}}
{{- $jobs := list }}
{{- with .Values.builds }}
{{- if .enabled }}
{{- $account := include "static-export-service.serviceAccountName" $ }}
{{- $jobs = append $jobs (dict "component" "builds" "values" . "secretEnv" .secretEnv "worker" "worker" "serviceAccount" $account) }}
{{- end }}
{{- end }}
{{- with .Values.agents }}
{{- if .projects }}
{{- $account := include "static-export-service.agentServiceAccountName" $ }}
{{- $jobs = append $jobs (dict "component" "agents" "values" .pods "secretEnv" .secretEnv "worker" "agent-worker" "serviceAccount" $account) }}
{{- end }}
{{- end }}
{{- toJson $jobs }}
{{- end }}

{{/* The settings of the pods, as the worker reads them. @param as of static-export-service.pods */}}
{{- define "static-export-service.podsFile" -}}
{{- $ := .root }}
{{- $own := .values }}
{{- $pod := dict "serviceAccountName" "default" "securityContext" $.Values.podSecurityContext "volumes" $own.extraVolumes }}
{{- range $setting := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with default (get $.Values $setting) (get $own $setting) }}{{ $_ := set $pod $setting . }}{{ end }}
{{- end }}
{{- with $own.runtimeClassName }}{{ $_ := set $pod "runtimeClassName" . }}{{ end }}
{{- if not $own.hostUsers }}{{ $_ := set $pod "hostUsers" false }}{{ end }}
{{- /* The volumes that the worker adds to every pod. */}}
{{- $volumes := list (dict "name" "work") (dict "name" "tmp") }}
{{- $mounts := list (dict "name" "work" "mountPath" "/work") (dict "name" "tmp" "mountPath" "/tmp") }}
{{- $main := dict "name" .component "resources" $own.resources "env" $own.extraEnv "volumeMounts" (concat $mounts $own.extraVolumeMounts) }}
{{- $spec := dict "containers" (list $main) "volumes" (concat $volumes $own.extraVolumes) }}
{{- $_ := dict "spec" $spec | toYaml | include "static-export-common.checkedPod" }}
image: {{ include "static-export-service.ownImage" (list $ $own.image) | quote }}
transferImage: {{ include "static-export-service.image" $ | quote }}
ttlSecondsAfterFinished: {{ int $own.ttlSecondsAfterFinished }}
secretEnv: {{- toYaml .secretEnv | nindent 2 }}
containers:
  imagePullPolicy: {{ $.Values.image.pullPolicy | quote }}
  securityContext: {{- toYaml $.Values.containerSecurityContext | nindent 4 }}
main:
  resources: {{- toYaml $own.resources | nindent 4 }}
  env: {{- toYaml $own.extraEnv | nindent 4 }}
  volumeMounts: {{- toYaml $own.extraVolumeMounts | nindent 4 }}
metadata:
  {{- include "static-export-service.podMetadata" (dict "root" $ "component" .component "values" $own) | nindent 2 }}
pod: {{- toYaml $pod | nindent 2 }}
{{- end }}

{{/* The ConfigMap with the settings. Its digest in the name restarts the worker when they change. @param as of static-export-service.pods */}}
{{- define "static-export-service.podsConfigName" -}}
{{- printf "%s-%s-%s" (include "static-export-service.fullname" .root) .component (include "static-export-service.podsFile" . | sha256sum | trunc 10) }}
{{- end }}

{{/* The ConfigMaps of all workers' Jobs, as JSON, by worker. */}}
{{- define "static-export-service.podsConfigNames" -}}
{{- $root := . }}
{{- $names := dict }}
{{- range fromJsonArray (include "static-export-service.jobs" .) }}
{{- $_ := set $names .worker (include "static-export-service.podsConfigName" (merge (dict "root" $root) .)) }}
{{- end }}
{{- toJson $names }}
{{- end }}

{{/*
The objects for the Jobs of a worker: settings of their pods, the worker's permission to create them, and their network.
@param dict of the root context, the component of the pods, their values and variables from Secrets, and the component
and the service account of the worker
*/}}
{{- define "static-export-service.pods" -}}
{{- $ := .root }}
{{- $name := printf "%s-%s" (include "static-export-service.fullname" $) .component }}
{{- $own := .values }}
{{- if eq .serviceAccount "default" }}
{{- $setting := eq .component "agents" | ternary "agents.serviceAccount" "serviceAccount" }}
{{- fail (printf "%s.name must name an account of the workers if %s.create is false: with the account \"default\", every pod of the namespace could create Jobs" $setting $setting) }}
{{- end }}
# The worker creates Jobs whose pods have these settings.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "static-export-service.podsConfigName" . | quote }}
  {{- include "static-export-common.startMetadata" (include "static-export-common.labels" $) | nindent 2 }}
immutable: true
data:
  pods.yaml: |
    {{- include "static-export-service.podsFile" . | nindent 4 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name | quote }}
  labels: {{- include "static-export-common.labels" $ | nindent 4 }}
rules:
  - apiGroups: [batch]
    resources: [jobs]
    verbs: [create, get, list, delete]
  - apiGroups: [""]
    resources: [pods]
    verbs: [get, list]
  - apiGroups: [""]
    resources: [pods/log]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name | quote }}
  labels: {{- include "static-export-common.labels" $ | nindent 4 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name | quote }} }
subjects:
  - kind: ServiceAccount
    name: {{ .serviceAccount | quote }}
    namespace: {{ $.Release.Namespace | quote }}
{{- if $own.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name | quote }}
  labels: {{- include "static-export-common.labels" $ | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "static-export-common.selectorLabels" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "static-export-service.dnsEgress" $ | nindent 4 }}
    # The checkout and the output. Only the containers around the command have the token for them.
    - ports: [{ protocol: TCP, port: 8790 }]
      to:
        - podSelector:
            matchLabels:
              {{- include "static-export-common.selectorLabels" $ | nindent 14 }}
              app.kubernetes.io/component: {{ .worker }}
    {{- with include "static-export-service.publicNetworks" $ | fromYamlArray }}
    {{- include "static-export-service.portEgress" (list $own.networkPolicy.egressPorts .) | nindent 4 }}
    {{- end }}
    {{- with $own.networkPolicy.reach }}{{ toYaml . | nindent 4 }}{{- end }}
{{- end }}
{{- end }}
