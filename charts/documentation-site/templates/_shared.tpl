{{/* The chart documentation-sites uses these templates, too: the build copies this file. */}}

{{- define "documentation-site.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Selects the pods. A Deployment's selector is immutable, so nothing that varies may be added here. */}}
{{- define "documentation-site.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "documentation-site.labels" -}}
{{ include "documentation-site.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The labels that select this release's metrics. */}}
{{- define "documentation-site.metricsFrom" -}}
{{- printf "namespace=%q,job=\"%s/%s\"" .Release.Namespace .Release.Namespace (include "documentation-site.fullname" .) -}}
{{- end -}}

{{/* The port of an address. */}}
{{- define "documentation-site.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
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
  parentRefs: {{- toYaml .Values.httpRoute.parentRefs | nindent 4 }}
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
        - name: {{ include "documentation-site.fullname" . | quote }}
          port: {{ .Values.service.port }}
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
  maxUnavailable: {{ .Values.podDisruptionBudget.maxUnavailable | toJson }}
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
  labels:
    {{- include "documentation-site.labels" . | nindent 4 }}
    {{- with .Values.metrics.podMonitor.labels }}{{ toYaml . | nindent 4 }}{{- end }}
spec:
  selector:
    matchLabels: {{- include "documentation-site.selectorLabels" . | nindent 6 }}
  podMetricsEndpoints:
    - { port: metrics, path: /metrics, interval: {{ .Values.metrics.podMonitor.interval | quote }} }
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
  {{- with .Values.service.ipFamilyPolicy }}
  ipFamilyPolicy: {{ . | quote }}
  {{- end }}
  sessionAffinity: {{ .Values.service.sessionAffinity | quote }}
  selector: {{- include "documentation-site.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .Values.service.port }}
      targetPort: http
      {{- with .Values.service.nodePort }}
      nodePort: {{ . }}
      {{- end }}
{{- end -}}

{{/* Begins the Deployment, up to the template of its pods. */}}
{{- define "documentation-site.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "documentation-site.fullname" . | quote }}
  labels: {{- include "documentation-site.labels" . | nindent 4 }}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
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

{{- define "documentation-site.podSettings" -}}
serviceAccountName: {{ include "documentation-site.serviceAccountName" . | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.hostAliases }}
hostAliases: {{- toYaml . | nindent 2 }}
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

{{/* @param the port that answers */}}
{{- define "documentation-site.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 1
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 2
  timeoutSeconds: 3
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 20
  timeoutSeconds: 5
{{- end -}}

{{- define "documentation-site.testMetadata" -}}
labels:
  {{- include "documentation-site.testLabels" . | nindent 2 }}
  app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
  {{- with .Values.commonLabels }}{{ toYaml . | nindent 2 }}{{- end }}
annotations:
  helm.sh/hook: test
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
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
        {{- range concat (list (int .port)) .Values.networkPolicy.egressPorts | uniq }}
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
  labels:
    {{- include "documentation-site.labels" . | nindent 4 }}
    {{- with .Values.prometheusRule.labels }}{{ toYaml . | nindent 4 }}{{- end }}
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
  labels:
    {{- include "documentation-site.labels" . | nindent 4 }}
    {{- with .Values.dashboard.labels }}{{ toYaml . | nindent 4 }}{{- end }}
{{- end -}}
