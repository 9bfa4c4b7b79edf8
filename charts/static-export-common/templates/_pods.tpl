{{/*
Metadata of Secrets and ConfigMaps that pods are started with. Their names contain a digest, so that the new pods of a
rollout and the pods that they replace have their own objects. Argo CD removes the earlier ones after the rollout.
@param the labels
*/}}
{{- define "static-export-common.startMetadata" -}}
labels: {{- . | nindent 2 }}
annotations:
  argocd.argoproj.io/sync-options: PruneLast=true
{{- end -}}

{{/*
The Secrets and ConfigMaps of earlier upgrades that pods still need. Helm removes what a manifest no longer contains
before the new pods are ready. So the manifest contains these objects as long as their ReplicaSet has pods: if the
rollout fails, an evicted pod can start again.
@param dict of the root context, the names of Deployments, a pattern of the objects' names, and the current names
*/}}
{{- define "static-export-common.earlierObjects" -}}
{{- $namespace := .root.Release.Namespace }}
{{- $objects := dict }}
{{- range (lookup "apps/v1" "ReplicaSet" $namespace "").items }}
{{- $owner := default (list (dict)) .metadata.ownerReferences | first }}
{{- if and .spec.replicas (eq (get $owner "kind") "Deployment") (has (get $owner "name") $.deployments) }}
{{- range .spec.template.spec.volumes }}
{{- with .secret }}{{ $_ := set $objects (printf "Secret/%s" .secretName) . }}{{ end }}
{{- with .configMap }}{{ $_ := set $objects (printf "ConfigMap/%s" .name) . }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- range $kindAndName, $_ := $objects }}
{{- $kind := dir $kindAndName }}
{{- $name := base $kindAndName }}
{{- if and (regexMatch $.pattern $name) (not (has $name $.current)) }}
{{- with lookup "v1" $kind $namespace $name }}
{{- if eq (dig "annotations" "meta.helm.sh/release-name" "" .metadata) $.root.Release.Name }}
---
apiVersion: v1
kind: {{ $kind }}
metadata:
  name: {{ $name | quote }}
  {{- include "static-export-common.startMetadata" (include "static-export-common.labels" $.root) | nindent 2 }}
{{- with .type }}
type: {{ . }}
{{- end }}
{{- if .immutable }}
immutable: true
{{- end }}
data: {{- toJson .data | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
The number of pods. A Deployment without it would fall back to one pod when autoscaling is enabled, so it keeps the
number that it has. Server-side apply keeps it anyway once the autoscaler has set it, and would report a conflict.
@param dict of the root context, the name of the Deployment, whether it is scaled, and the number if it is not
*/}}
{{- define "static-export-common.replicas" -}}
{{- if .isScaled }}
{{- $isApplied := false }}
{{- $isTakenOver := false }}
{{- with lookup "apps/v1" "Deployment" .root.Release.Namespace .deployment }}
{{- range .metadata.managedFields }}
{{- if eq (get . "subresource") "scale" }}
{{- $isTakenOver = hasKey (dig "fieldsV1" "f:spec" (dict) .) "f:replicas" | or $isTakenOver }}
{{- else if eq .operation "Apply" }}
{{- $isApplied = true }}
{{- end }}
{{- end }}
{{- if not (and $isApplied $isTakenOver) }}
replicas: {{ int .spec.replicas }}
{{- end }}
{{- end }}
{{- else }}
replicas: {{ .count }}
{{- end }}
{{- end -}}

{{/*
Refuses names that the API server would refuse after it has created other objects: the values repeat one of the chart's.
Returns what it got. @param a rendered manifest with a pod template, or a rendered pod template
*/}}
{{- define "static-export-common.withUniqueNames" -}}
{{- $object := fromYaml . }}
{{- $spec := (dig "spec" "template" $object $object).spec }}
{{- $hint := "Kubernetes takes a name only once per pod or container, and the chart itself may use this one: change it in the values." }}
{{- $containers := concat (default (list) $spec.initContainers) $spec.containers }}
{{- range $kind, $each := dict "containers" $containers "volumes" (default (list) $spec.volumes) }}
{{- $seen := list }}
{{- range $each }}
{{- if has .name $seen }}{{ fail (printf "a pod has two %s named %s. %s" $kind .name $hint) }}{{ end }}
{{- $seen = append $seen .name }}
{{- end }}
{{- end }}
{{- range $container := $containers }}
{{- $seen := dict }}
{{- range default (list) .env }}
{{- if hasKey $seen .name }}{{ fail (printf "the container %s has two variables named %s. %s" $container.name .name $hint) }}{{ end }}
{{- $_ := set $seen .name true }}
{{- end }}
{{- $seen = dict }}
{{- range default (list) .volumeMounts }}
{{- $path := .mountPath | trimSuffix "/" }}
{{- if hasKey $seen $path }}{{ fail (printf "the container %s has two mounts at %s. %s" $container.name $path $hint) }}{{ end }}
{{- $_ := set $seen $path true }}
{{- end }}
{{- end }}
{{- . }}
{{- end -}}

{{/* How many pods may be missing. @param dict of the disruption budget, the autoscaling, and the number of pods without it */}}
{{- define "static-export-common.disruptions" -}}
{{- $least := .budget.minAvailable -}}
{{- if or (kindIs "invalid" $least) (eq (toString $least) "") -}}
maxUnavailable: {{ .budget.maxUnavailable | toJson }}
{{- else -}}
{{- $pods := ternary .autoscaling.minReplicas .count .autoscaling.enabled | int -}}
{{- /* Kubernetes rounds a percentage up. */ -}}
{{- $needed := int $least -}}
{{- if hasSuffix "%" (toString $least) -}}{{- $needed = div (add (mul (trimSuffix "%" $least | int) $pods) 99) 100 | int -}}{{- end -}}
{{- if ge $needed $pods -}}
{{- fail (printf "podDisruptionBudget.minAvailable (%v) must be less than the number of pods (%d): otherwise no pod may be evicted, and draining a node never ends." $least $pods) -}}
{{- end -}}
minAvailable: {{ $least | toJson }}
{{- end -}}
{{- end -}}

{{/*
How pods are spread: over nodes if possible, unless the values say otherwise. Without a selector, Kubernetes would count no pods.
@param list of the values and the labels that select the pods
*/}}
{{- define "static-export-common.spread" -}}
{{- $selector := dict "labelSelector" (dict "matchLabels" (last . | fromYaml)) }}
{{- $default := dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway" }}
{{- range default (list $default) (first .) }}
- {{- hasKey . "labelSelector" | ternary . (merge (deepCopy .) $selector) | toYaml | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
Warns in NOTES.txt if a container requests no CPU, which the autoscaler needs. A LimitRange may set it, so nothing is refused.
@param dict of the autoscaling's values and the rendered Deployment
*/}}
{{- define "static-export-common.cpuWarning" -}}
{{- if .autoscaling.enabled -}}
{{- $spec := (fromYaml .deployment).spec.template.spec -}}
{{- $containers := $spec.containers -}}
{{- range $spec.initContainers }}{{ if eq (get . "restartPolicy") "Always" }}{{ $containers = append $containers . }}{{ end }}{{ end -}}
{{- $names := list -}}
{{- range $containers -}}
{{- $resources := default (dict) (get . "resources") -}}
{{- $cpus := list (get (default (dict) $resources.requests) "cpu") (get (default (dict) $resources.limits) "cpu") -}}
{{- if not (compact $cpus) }}{{ $names = append $names .name }}{{ end -}}
{{- end -}}
{{- with $names }}


The autoscaler cannot scale the pods: no CPU request in {{ join ", " . }}.
Set resources.requests.cpu of each container, unless a LimitRange of the namespace sets it.
{{- end -}}
{{- end -}}
{{- end -}}
