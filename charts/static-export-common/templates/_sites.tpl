{{/* Templates of the charts for sites. */}}

{{/* The labels that select this release's metrics. */}}
{{- define "static-export-common.metricsFrom" -}}
{{- printf "namespace=%q,job=\"%s/%s\"" .Release.Namespace .Release.Namespace (include "static-export-common.fullname" .) -}}
{{- end -}}

{{/* The port of an address. */}}
{{- define "static-export-common.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $port = default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- if or (lt (int64 $port) 1) (gt (int64 $port) 65535) -}}
{{- fail (printf "%s is not a port: the port in an address must be from 1 to 65535." $port) -}}
{{- end -}}
{{- $port -}}
{{- end -}}

{{- define "static-export-common.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "static-export-common.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* @param list of the root context and an image of the values */}}
{{- define "static-export-common.image" -}}
{{- with (first .).Values.global.imageRegistry }}{{ . }}/{{ end -}}
{{- with last . -}}
{{- .repository -}}{{- with .tag }}:{{ . }}{{ end -}}{{- with .digest }}@{{ . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Different from the selector's labels, so that no Service sends visitors to a test pod. */}}
{{- define "static-export-common.testLabels" -}}
app.kubernetes.io/name: {{ printf "%s-test" .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* Refuses values of both charts that contradict each other. */}}
{{- define "static-export-common.assertRollout" -}}
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

{{- define "static-export-common.horizontalPodAutoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "static-export-common.fullname" . | quote }}
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

{{- define "static-export-common.httpRoute" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
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
          name: {{ include "static-export-common.fullname" . | quote }}
          port: {{ .Values.service.port }}
          weight: 1
{{- end -}}

{{- define "static-export-common.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
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
                name: {{ include "static-export-common.fullname" $ | quote }}
                port: { name: http }
    {{- end }}
{{- end -}}

{{- define "static-export-common.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
spec:
  {{- include "static-export-common.disruptions" (dict "budget" .Values.podDisruptionBudget "autoscaling" .Values.autoscaling "count" .Values.replicaCount) | nindent 2 }}
  # A pod that is not ready serves nobody, so it must not block node maintenance.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "static-export-common.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "static-export-common.podMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labelsWith" (list . .Values.metrics.podMonitor.labels) | nindent 4 }}
spec:
  selector:
    matchLabels: {{- include "static-export-common.selectorLabels" . | nindent 6 }}
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

{{- define "static-export-common.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "static-export-common.serviceAccountName" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{- define "static-export-common.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
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
  selector: {{- include "static-export-common.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .Values.service.port }}
      targetPort: http
{{- end -}}

{{/* The ConfigMap with the files of the pods. @param list of the root context and the files, as YAML */}}
{{- define "static-export-common.configName" -}}
{{- printf "%s-%s" (include "static-export-common.fullname" (first .)) (last . | sha256sum | trunc 10) -}}
{{- end -}}

{{- define "static-export-common.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "static-export-common.configName" . | quote }}
  {{- include "static-export-common.startMetadata" (include "static-export-common.labels" (first .)) | nindent 2 }}
# Its name contains its digest.
immutable: true
data: {{- last . | nindent 2 }}
{{- end -}}

{{/* Begins the Deployment, up to the template of its pods. */}}
{{- define "static-export-common.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
  {{- with .Values.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "static-export-common.replicas" (dict "root" . "deployment" (include "static-export-common.fullname" .) "isScaled" .Values.autoscaling.enabled "count" .Values.replicaCount) | trim | nindent 2 }}
  revisionHistoryLimit: {{ .Values.revisionHistoryLimit }}
  progressDeadlineSeconds: {{ .Values.progressDeadlineSeconds }}
  strategy:
    type: RollingUpdate
    # Removes a pod only after its successor is ready, so pods that cannot start never take a live site down.
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: {{ .Values.maxSurge | toJson }}
  selector:
    matchLabels: {{- include "static-export-common.selectorLabels" . | nindent 6 }}
{{- end -}}

{{/* Where pods run, and how they find images: also those of `helm test`. */}}
{{- define "static-export-common.placement" -}}
{{- range $setting := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with get $.Values $setting }}
{{ $setting }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "static-export-common.podSettings" -}}
serviceAccountName: {{ include "static-export-common.serviceAccountName" . | quote }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- include "static-export-common.placement" . }}
topologySpreadConstraints:
  {{- include "static-export-common.spread" (list .Values.topologySpreadConstraints (include "static-export-common.selectorLabels" .)) | nindent 2 }}
{{- end -}}

{{/*
The resources of the web server. Kubernetes counts the pod's volumes as local storage, so their size decides the limit.
@param list of the root context and the size of the volumes in MiB
*/}}
{{- define "static-export-common.webResources" -}}
{{- $limit := dict "limits" (dict "ephemeral-storage" (printf "%dMi" (last . | int64 | add 1024))) -}}
{{- mergeOverwrite $limit (deepCopy (default (dict) (first .).Values.resources)) | toYaml -}}
{{- end -}}

{{/* @param list of the root context and the port that answers */}}
{{- define "static-export-common.probes" -}}
{{- $numbers := (first .).Values.probes -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.startup) (dict "periodSeconds" 1 "timeoutSeconds" 3 "failureThreshold" 60) | toYaml | nindent 2 }}
readinessProbe:
  httpGet: { path: /healthz, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.readiness) (dict "periodSeconds" 2 "timeoutSeconds" 3) | toYaml | nindent 2 }}
livenessProbe:
  httpGet: { path: /_livez, port: {{ last . }} }
  {{- merge (dict) (default (dict) $numbers.liveness) (dict "periodSeconds" 20 "timeoutSeconds" 5 "failureThreshold" 6) | toYaml | nindent 2 }}
{{- end -}}

{{- define "static-export-common.testMetadata" -}}
labels:
  {{- $own := include "static-export-common.testLabels" . | fromYaml }}
  {{- $_ := set $own "app.kubernetes.io/managed-by" .Release.Service }}
  {{- merge $own (default (dict) .Values.podLabels) (default (dict) .Values.commonLabels) | toYaml | nindent 2 }}
annotations:
  {{- $hook := dict "helm.sh/hook" "test" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- merge $hook (default (dict) .Values.podAnnotations) | toYaml | nindent 2 }}
{{- end -}}

{{/* Begins the NetworkPolicy. @param the root context, with the port that the pods fetch from */}}
{{- define "static-export-common.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "static-export-common.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports: [{ protocol: TCP, port: http }]
      {{- with .Values.networkPolicy.ingressFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        # The pods of `helm test`.
        - podSelector:
            matchLabels: {{- include "static-export-common.testLabels" $ | nindent 14 }}
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
{{- define "static-export-common.prometheusRule" -}}
{{- if not .Values.metrics.podMonitor.enabled }}
{{- fail "prometheusRule.enabled needs metrics.podMonitor.enabled: the alerts are about the metrics that this one collects" }}
{{- end }}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ include "static-export-common.fullname" . | quote }}
  labels: {{- include "static-export-common.labelsWith" (list . .Values.prometheusRule.labels) | nindent 4 }}
spec:
  groups:
    - name: {{ include "static-export-common.fullname" . | quote }}
      rules:
{{- end -}}

{{/* An alert with its runbook. @param list of the root context, and the name, time, severity, expression and summary */}}
{{- define "static-export-common.alert" -}}
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
{{- define "static-export-common.dashboard" -}}
{{- if not .Values.metrics.podMonitor.enabled }}
{{- fail "dashboard.enabled needs metrics.podMonitor.enabled: the dashboard shows the metrics that this one collects" }}
{{- end }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ printf "%s-dashboard" (include "static-export-common.fullname" .) | quote }}
  labels: {{- include "static-export-common.labelsWith" (list . .Values.dashboard.labels) | nindent 4 }}
{{- end -}}
