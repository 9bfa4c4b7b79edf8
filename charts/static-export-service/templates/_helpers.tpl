{{- define "static-export-service.fullname" -}}
{{- include "static-export-common.assertGroups" (list . "serviceMonitor" "podMonitor" "webhook" "api" "api.autoscaling" "api.podDisruptionBudget" "worker" "worker.autoscaling" "agents" "agents.forge" "agents.commits" "agents.commits.signingKey" "agents.pods" "builds" "migration" "pages" "pages.oidc") }}
{{- include "static-export-common.nameOfLength" (list . 50) }}
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

{{/* A quoted text for `args` and `env`, in which Kubernetes replaces neither `$(NAME)` nor `$$`. */}}
{{- define "static-export-service.literal" -}}
{{ replace "$" "$$" . | quote }}
{{- end }}

{{/* The arguments that serve and the agents' workers share. */}}
{{- define "static-export-service.agentProjectArgs" -}}
{{- range $project, $repository := .Values.agents.projects }}
- {{ printf "--agent-project=%s=%s" $project $repository | include "static-export-service.literal" }}
{{- end }}
{{- end }}

{{/* The arguments that serve and work share. */}}
{{- define "static-export-service.sharedArgs" -}}
- --sites-file=/etc/static-export-sites/sites
- --data-dir=/var/lib/static-export
{{ include "static-export-service.bucketArgs" . }}
{{- with .Values.bucket.publicEndpoint }}
- {{ printf "--bucket-public-endpoint=%s" . | include "static-export-service.literal" }}
{{- end }}
- "--health=[::]:9090"
- --log-format=json
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "static-export-service.sitesMount" -}}
- { name: site-list, mountPath: /etc/static-export-sites, readOnly: true }
{{- end }}

{{- define "static-export-service.sitesVolume" -}}
- name: site-list
  configMap: { name: {{ printf "%s-sites" (include "static-export-service.fullname" .) | quote }} }
{{- end }}

{{- define "static-export-service.adminKeyVolume" -}}
- name: admin-key
  secret:
    secretName: {{ .Values.adminKey.existingSecret | quote }}
    # 288 is 0440, which only some YAML parsers read as octal.
    defaultMode: 288
    items: [{ key: {{ .Values.adminKey.key | quote }}, path: admin-api-key }]
{{- end }}

{{- define "static-export-service.bucketArgs" -}}
- {{ printf "--bucket=%s" .Values.bucket.url | include "static-export-service.literal" }}
{{- with .Values.bucket.endpoint }}
- {{ printf "--bucket-endpoint=%s" . | include "static-export-service.literal" }}
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
  value: {{ $root.Values.bucket.region | include "static-export-service.literal" }}
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
@param dict of the root context, the component, its values, and optionally a strategy
*/}}
{{- define "static-export-service.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ printf "%s-%s" (include "static-export-service.fullname" .root) .component | quote }}
  labels:
    {{- include "static-export-common.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  {{- with .values.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  revisionHistoryLimit: {{ .root.Values.revisionHistoryLimit }}
  {{- $name := printf "%s-%s" (include "static-export-service.fullname" .root) .component }}
  {{- include "static-export-common.replicas" (dict "root" .root "deployment" $name "isScaled" (dig "autoscaling" "enabled" false .values) "count" .values.replicaCount) | trim | nindent 2 }}
  {{- with .strategy }}
  strategy: {{- toYaml . | nindent 4 }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "static-export-common.selectorLabels" .root | nindent 6 }}
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

{{/* @param dict of the root context, the component, and optionally the component's values */}}
{{- define "static-export-service.podMetadata" -}}
labels:
  {{- include "static-export-common.selectorLabels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with merge (dict) (default (dict) .root.Values.podLabels) (default (dict) .root.Values.commonLabels) }}{{ toYaml . | nindent 2 }}{{- end }}
{{- $own := default (dict) (default (dict) .values).podAnnotations }}
{{- with merge (dict) $own (default (dict) .root.Values.podAnnotations) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The part that all pods share. @param list of the root context and the component's values, which come first */}}
{{- define "static-export-service.podSettings" -}}
{{- $root := first . }}
{{- $own := last . -}}
automountServiceAccountToken: {{ dig "usesKubernetes" false $own }}
enableServiceLinks: false
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- range $setting := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with default (get $root.Values $setting) (get $own $setting) }}
{{ $setting }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with $own.initContainers }}
initContainers: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* On a busy node, healthy processes answer late, and a restart would take even more CPU time. */}}
{{- define "static-export-service.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: health }
  {{- merge (dict) (default (dict) .Values.probes.startup) (dict "periodSeconds" 2 "timeoutSeconds" 5 "failureThreshold" 60) | toYaml | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: health }
  {{- merge (dict) (default (dict) .Values.probes.readiness) (dict "periodSeconds" 5 "timeoutSeconds" 5) | toYaml | nindent 2 }}
livenessProbe:
  httpGet: { path: /livez, port: health }
  {{- merge (dict) (default (dict) .Values.probes.liveness) (dict "periodSeconds" 20 "timeoutSeconds" 5 "failureThreshold" 6) | toYaml | nindent 2 }}
{{- end }}

{{/* @param list of the root context, the values of the component, and its name */}}
{{- define "static-export-service.spread" -}}
{{- $root := first . }}
{{- $selector := printf "%s\napp.kubernetes.io/component: %s" (include "static-export-common.selectorLabels" $root) (last .) }}
topologySpreadConstraints:
  {{- include "static-export-common.spread" (list (default $root.Values.topologySpreadConstraints (index . 1).topologySpreadConstraints) $selector) | nindent 2 }}
{{- end }}

{{/* How Prometheus reads the metrics of a pod. @param the values of a monitor */}}
{{- define "static-export-service.scrape" -}}
port: health
path: /metrics
interval: {{ .interval | quote }}
{{- with .relabelings }}
relabelings: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .metricRelabelings }}
metricRelabelings: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The labels that select this release's metrics: each kind of monitor names its job differently. */}}
{{- define "static-export-service.metricsFrom" -}}
{{- $name := include "static-export-service.fullname" . }}
{{- $job := .Values.podMonitor.enabled | ternary (printf "%s/%s" .Release.Namespace $name) (printf "%s-metrics" $name) }}
{{- printf "namespace=%q,job=%q" .Release.Namespace $job }}
{{- end }}

{{/* The host that an Ingress or an HTTPRoute names, which cannot be an address. */}}
{{- define "static-export-service.publicHost" -}}
{{- $url := urlParse .Values.publicUrl }}
{{- $host := $url.hostname | lower }}
{{- if trimAll "/" $url.path }}
{{- fail (printf "publicUrl has the path %q, which the Ingress and the HTTPRoute of this chart do not remove: use a host name without a path, or your own proxy that removes the path, without ingress.enabled and httpRoute.enabled." $url.path) }}
{{- end }}
{{- if not (regexMatch "^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)*[a-z]([a-z0-9-]*[a-z0-9])?$" $host) }}
{{- fail (printf "publicUrl has the host %q: with ingress.enabled or httpRoute.enabled, it needs a host name." $host) }}
{{- end }}
{{- $host }}
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
    {{- if (first .).Values.pages.enabled }}
    {{- $page := get (dict "StaticExportSiteFails" "sites/{{ $labels.domain }}" "StaticExportJobsFail" "jobs?status=failed" "StaticExportAgentJobsFail" "agent-jobs") (index . 1) | default "health" }}
    dashboard_url: {{ printf "%s/dashboard/%s" ((first .).Values.publicUrl | trimSuffix "/") $page | quote }}
    {{- end }}
    summary: {{ last . | quote }}
{{- end }}

{{/* The ports that pods other than those of builds and agents reach, as JSON: those of the values, and those in addresses. */}}
{{- define "static-export-service.egressPorts" -}}
{{- $forge := regexReplaceAll "^[a-z]+=" .Values.agents.forge.api "" }}
{{- $addresses := list .Values.bucket.endpoint .Values.pages.oidc.issuer $forge }}
{{- range .Values.agents.projects }}{{ $addresses = append $addresses . }}{{ end }}
{{- range $place := .Values.sites }}
{{- if kindIs "map" $place }}{{ $place = $place.source }}{{ end }}
{{- $addresses = append $addresses (trimPrefix "git+" $place) }}
{{- end }}
{{- $ports := list }}
{{- range .Values.networkPolicy.egressPorts }}{{ $ports = append $ports (int .) }}{{ end }}
{{- range $address := $addresses }}
{{- $scheme := regexFind "^(https?|ssh)://" $address }}
{{- if $scheme }}
{{- $usual := dict "http://" 80 "https://" 443 "ssh://" 22 }}
{{- $port := regexFind ":[0-9]+$" (urlParse $address).host | trimPrefix ":" }}
{{- $port = default (get $usual $scheme) $port | int }}
{{- if or (lt $port 1) (gt $port 65535) }}
{{- fail (printf "%d is not a port: the port in an address must be from 1 to 65535." $port) }}
{{- end }}
{{- $ports = append $ports $port }}
{{- end }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}

{{/* Different from the selectors' labels, so that neither the Service nor a policy takes the pod of a test for another. */}}
{{- define "static-export-service.testLabels" -}}
app.kubernetes.io/name: {{ printf "%s-test" (default .Chart.Name .Values.nameOverride | trunc 58) | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* Lets pods reach DNS servers. Kubernetes takes a rule without ports for all ports, so without ports there is no rule. */}}
{{- define "static-export-service.dnsEgress" -}}
{{- with .Values.networkPolicy.dnsPorts -}}
- ports:
    {{- range . }}
    - { protocol: UDP, port: {{ int . }} }
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end }}
{{- end }}

{{/*
Lets pods reach ports of peers, or of all addresses if there are no peers. Without ports, there is no rule, either.
@param list of the ports and the peers
*/}}
{{- define "static-export-service.portEgress" -}}
{{- $peers := last . }}
{{- with first . -}}
- ports:
    {{- range . }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
  {{- with $peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The peers that builds and agents reach: each IP version of which `blockedNetworks` names at least one network. */}}
{{- define "static-export-service.publicNetworks" -}}
{{- $blocked := dict "0.0.0.0/0" (list) "::/0" (list) }}
{{- range .Values.networkPolicy.blockedNetworks }}
{{- $all := contains ":" . | ternary "::/0" "0.0.0.0/0" }}
{{- $_ := set $blocked $all (append (get $blocked $all) .) }}
{{- end }}
{{- range $all, $networks := $blocked }}
{{- with $networks }}
- ipBlock: {{- dict "cidr" $all "except" . | toYaml | nindent 4 }}
{{- end }}
{{- end }}
{{- end }}
