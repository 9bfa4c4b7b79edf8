{{/* The chart documentation-sites has these templates, too: the build copies this file, and renames its templates. */}}

{{- define "documentation-site.fullname" -}}
{{- include "documentation-site.assertGroups" . -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- /* Helm allows 53 characters, and two releases may differ only in the last ones. */ -}}
{{- if gt (len .Release.Name) 52 -}}
{{- $full = printf "%s-%s" (trunc 41 $full | trimSuffix "-") (.Release.Name | sha256sum | trunc 10) -}}
{{- end -}}
{{- $full = default $full .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" $full) -}}
{{- fail (printf "%q cannot name a Service: it must begin with a letter, and have only lower-case letters, digits and hyphens. Set fullnameOverride, or change the release's name or nameOverride." $full) -}}
{{- end -}}
{{- $full -}}
{{- end -}}

{{/* Selects the pods. A Deployment's selector is immutable, so nothing that varies may be added here. */}}
{{- define "documentation-site.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "documentation-site.labels" -}}
{{ include "documentation-site.labelsWith" (list . (dict)) }}
{{- end -}}

{{/* Kustomize and Flux refuse a repeated key, so maps of values are merged. @param list of the root context and further labels */}}
{{- define "documentation-site.labelsWith" -}}
{{- $own := include "documentation-site.ownLabels" (first .) | fromYaml }}
{{- merge $own (default (dict) (last .)) (default (dict) (first .).Values.commonLabels) | toYaml }}
{{- end -}}

{{- define "documentation-site.ownLabels" -}}
{{ include "documentation-site.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") | trunc 63 | regexFind "^.*[A-Za-z0-9]" | quote }}
{{- end -}}

{{/* The labels that select this release's metrics. */}}
{{- define "documentation-site.metricsFrom" -}}
{{- printf "namespace=%q,job=\"%s/%s\"" .Release.Namespace .Release.Namespace (include "documentation-site.fullname" .) -}}
{{- end -}}

{{/* The port of an address. */}}
{{- define "documentation-site.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $port = default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- if or (lt (int64 $port) 1) (gt (int64 $port) 65535) -}}
{{- fail (printf "%s is not a port: the port in an address must be from 1 to 65535." $port) -}}
{{- end -}}
{{- $port -}}
{{- end -}}

{{- define "documentation-site.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "documentation-site.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* @param list of the root context and an image of the values */}}
{{- define "documentation-site.image" -}}
{{- with (first .).Values.global.imageRegistry }}{{ . }}/{{ end -}}
{{- with last . -}}
{{- .repository -}}{{- with .tag }}:{{ . }}{{ end -}}{{- with .digest }}@{{ . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Different from the selector's labels, so that no Service sends visitors to a test pod. */}}
{{- define "documentation-site.testLabels" -}}
app.kubernetes.io/name: {{ printf "%s-test" .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* Refuses values of both charts that contradict each other. */}}
{{- define "documentation-site.assertRollout" -}}
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

{{- define "documentation-site.horizontalPodAutoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "documentation-site.fullname" . | quote }}
  minReplicas: {{ .Values.autoscaling.minReplicas }}
  maxReplicas: {{ .Values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .Values.autoscaling.targetCPUUtilizationPercentage }}
  {{- with .Values.autoscaling.behavior }}
  behavior: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "documentation-site.httpRoute" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
  {{- with .Values.httpRoute.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # The API server adds the defaults of omitted fields, which Argo CD would show as a difference.
  parentRefs:
    {{- range .Values.httpRoute.parentRefs }}
    - {{- merge (dict) . (dict "group" "gateway.networking.k8s.io" "kind" "Gateway") | toYaml | nindent 6 }}
    {{- end }}
  {{- with .Values.httpRoute.hostnames }}
  hostnames: {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - matches:
        - path: { type: PathPrefix, value: {{ default "/" .Values.httpRoute.path | quote }} }
      {{- with .Values.httpRoute.filters }}
      filters: {{- toYaml . | nindent 8 }}
      {{- end }}
      backendRefs:
        - group: ""
          kind: Service
          name: {{ include "documentation-site.fullname" . | quote }}
          port: {{ .Values.service.port }}
          weight: 1
{{- end -}}

{{- define "documentation-site.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
  {{- with .Values.ingress.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .Values.ingress.className }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  {{- with .Values.ingress.tls }}
  tls: {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    {{- range .Values.ingress.hosts }}
    - host: {{ .host | quote }}
      http:
        paths:
          - path: {{ default "/" .path | quote }}
            pathType: {{ default "Prefix" .pathType | quote }}
            backend:
              service:
                name: {{ include "documentation-site.fullname" $ | quote }}
                port: { name: http }
    {{- end }}
{{- end -}}

{{- define "documentation-site.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
spec:
  {{- with .Values.podDisruptionBudget }}
  {{- if or (kindIs "invalid" .minAvailable) (eq (toString .minAvailable) "") }}
  maxUnavailable: {{ .maxUnavailable | toJson }}
  {{- else }}
  minAvailable: {{ .minAvailable | toJson }}
  {{- end }}
  {{- end }}
  # A pod that is not ready serves nobody, so it must not block node maintenance.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "documentation-site.podMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labelsWith" (list . .Values.metrics.podMonitor.labels) | nindent 4 }}
spec:
  selector:
    matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 6 }}
  podMetricsEndpoints:
    - port: metrics
      path: /metrics
      interval: {{ .Values.metrics.podMonitor.interval | quote }}
      {{- with .Values.metrics.podMonitor.relabelings }}
      relabelings: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.metrics.podMonitor.metricRelabelings }}
      metricRelabelings: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{- define "documentation-site.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "documentation-site.serviceAccountName" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{- define "documentation-site.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
  {{- with .Values.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .Values.service.type | quote }}
  {{- $settings := list "ipFamilyPolicy" "ipFamilies" }}
  {{- /* The API server refuses these for other types. */}}
  {{- if eq .Values.service.type "LoadBalancer" }}{{ $settings = append $settings "loadBalancerClass" }}{{ end }}
  {{- if ne .Values.service.type "ClusterIP" }}{{ $settings = append $settings "externalTrafficPolicy" }}{{ end }}
  {{- range $setting := $settings }}
  {{- with get $.Values.service $setting }}
  {{ $setting }}: {{ toJson . }}
  {{- end }}
  {{- end }}
  selector: {{- include "documentation-site.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .Values.service.port }}
      targetPort: http
{{- end -}}

{{/* The ConfigMap with the files of the pods. */}}
{{- define "documentation-site.configName" -}}
{{- printf "%s-%s" (include "documentation-site.fullname" .) (include "documentation-site.files" . | sha256sum | trunc 10) -}}
{{- end -}}

{{- define "documentation-site.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "documentation-site.configName" . | quote }}
  {{- include "documentation-site.startMetadata" (include "documentation-site.labels" .) | nindent 2 }}
# Its name contains its digest.
immutable: true
data: {{- include "documentation-site.files" . | nindent 2 }}
{{- end -}}

{{/* Begins the Deployment, up to the template of its pods. */}}
{{- define "documentation-site.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
  {{- with .Values.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "documentation-site.replicas" (dict "root" . "deployment" (include "documentation-site.fullname" .) "isScaled" .Values.autoscaling.enabled "count" .Values.replicaCount) | trim | nindent 2 }}
  revisionHistoryLimit: {{ .Values.revisionHistoryLimit }}
  progressDeadlineSeconds: {{ .Values.progressDeadlineSeconds }}
  strategy:
    type: RollingUpdate
    # Removes a pod only after its successor is ready, so pods that cannot start never take a live site down.
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: {{ .Values.maxSurge | toJson }}
  selector:
    matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 6 }}
{{- end -}}

{{/* Where pods run, and how they find images: also those of `helm test`. */}}
{{- define "documentation-site.placement" -}}
{{- range $setting := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with get $.Values $setting }}
{{ $setting }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "documentation-site.podSettings" -}}
serviceAccountName: {{ include "documentation-site.serviceAccountName" . | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- include "documentation-site.placement" . }}
topologySpreadConstraints:
  {{- with .Values.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 8 }}
  {{- end }}
{{- end -}}

{{/*
The resources of the web server. Kubernetes counts the pod's volumes as local storage, so their size decides the limit.
@param list of the root context and the size of the volumes in MiB
*/}}
{{- define "documentation-site.webResources" -}}
{{- $limit := dict "limits" (dict "ephemeral-storage" (printf "%dMi" (last . | int64 | add 1024))) -}}
{{- mergeOverwrite $limit (deepCopy (default (dict) (first .).Values.resources)) | toYaml -}}
{{- end -}}

{{/* @param list of the root context and the port that answers */}}
{{- define "documentation-site.probes" -}}
{{- $numbers := (first .).Values.probes -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.startup) (dict "periodSeconds" 1 "failureThreshold" 60) | toYaml | nindent 2 }}
readinessProbe:
  httpGet: { path: /healthz, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.readiness) (dict "periodSeconds" 2 "timeoutSeconds" 3) | toYaml | nindent 2 }}
livenessProbe:
  httpGet: { path: /_livez, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.liveness) (dict "periodSeconds" 20 "timeoutSeconds" 5) | toYaml | nindent 2 }}
{{- end -}}

{{- define "documentation-site.testMetadata" -}}
labels:
  {{- $own := include "documentation-site.testLabels" . | fromYaml }}
  {{- $_ := set $own "app.kubernetes.io/managed-by" .Release.Service }}
  {{- merge $own (default (dict) .Values.podLabels) (default (dict) .Values.commonLabels) | toYaml | nindent 2 }}
annotations:
  {{- $hook := dict "helm.sh/hook" "test" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- merge $hook (default (dict) .Values.podAnnotations) | toYaml | nindent 2 }}
{{- end -}}

{{/* Begins the NetworkPolicy. @param the root context, with the port that the pods fetch from */}}
{{- define "documentation-site.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports: [{ protocol: TCP, port: http }]
      {{- with .Values.networkPolicy.ingressFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        # The pods of `helm test`.
        - podSelector:
            matchLabels: {{- include "documentation-site.testLabels" $ | nindent 14 }}
      {{- end }}
    {{- if dig "enabled" true .Values.metrics }}
    - ports: [{ protocol: TCP, port: metrics }]
      {{- with .Values.networkPolicy.metricsFrom }}
      from: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
  egress:
    {{- with .Values.networkPolicy.dnsPorts }}
    - ports:
        {{- range . }}
        - { protocol: UDP, port: {{ int . }} }
        - { protocol: TCP, port: {{ int . }} }
        {{- end }}
    {{- end }}
    - ports:
        {{- range concat (list (int .port)) (default (list) .Values.networkPolicy.egressPorts) | uniq }}
        - { protocol: TCP, port: {{ int . }} }
        {{- end }}
      {{- with .Values.networkPolicy.egressTo }}
      to: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{/* Begins the PrometheusRule, up to its alerts. */}}
{{- define "documentation-site.prometheusRule" -}}
{{- if not .Values.metrics.podMonitor.enabled }}
{{- fail "prometheusRule.enabled needs metrics.podMonitor.enabled: the alerts are about the metrics that this one collects" }}
{{- end }}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labelsWith" (list . .Values.prometheusRule.labels) | nindent 4 }}
spec:
  groups:
    - name: {{ include "documentation-site.fullname" . | quote }}
      rules:
{{- end -}}

{{/* An alert with its runbook. @param list of the root context, and the name, time, severity, expression and summary */}}
{{- define "documentation-site.alert" -}}
- alert: {{ index . 1 }}
  expr: {{ index . 4 | quote }}
  for: {{ index . 2 }}
  labels: { severity: {{ index . 3 }} }
  annotations:
    {{- with (first .).Values.prometheusRule.runbookUrl }}
    runbook_url: {{ printf "%s#%s" . (index $ 1 | lower) | quote }}
    {{- end }}
    summary: {{ last . | quote }}
{{- end -}}

{{/* Begins the ConfigMap with the dashboard, up to its data. */}}
{{- define "documentation-site.dashboard" -}}
{{- if not .Values.metrics.podMonitor.enabled }}
{{- fail "dashboard.enabled needs metrics.podMonitor.enabled: the dashboard shows the metrics that this one collects" }}
{{- end }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ printf "%s-dashboard" (include "documentation-site.fullname" .) | quote }}
  labels: {{- include "documentation-site.labelsWith" (list . .Values.dashboard.labels) | nindent 4 }}
{{- end -}}
