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
Refuses pods that the API server would refuse after it has created other objects: the values repeat a name of the chart,
mount a volume that the pod does not have, or request more than the limit.
Returns what it got. @param a rendered manifest with a pod template, or a rendered pod template
*/}}
{{- define "static-export-common.checkedPod" -}}
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
{{- $spreads := dict }}
{{- range $spec.topologySpreadConstraints }}
{{- $spread := printf "%s and %s" .topologyKey .whenUnsatisfiable }}
{{- if hasKey $spreads $spread }}{{ fail (printf "topologySpreadConstraints has two entries with %s, but Kubernetes allows one: change the topologyKey or whenUnsatisfiable of one of them." $spread) }}{{ end }}
{{- $_ := set $spreads $spread true }}
{{- end }}
{{- $volumes := list }}
{{- range $spec.volumes }}{{ $volumes = append $volumes .name }}{{ end }}
{{- range $container := $containers }}
{{- $resources := default (dict) $container.resources }}
{{- $limits := default (dict) $resources.limits }}
{{- range $resource, $request := default (dict) $resources.requests }}
{{- $limit := get $limits $resource }}
{{- if and (hasKey $limits $resource) (gt (include "static-export-common.amount" $request | float64) (include "static-export-common.amount" $limit | float64)) }}
{{- fail (printf "the container %s requests more %s (%v) than its limit (%v). Change resources.requests or resources.limits." $container.name $resource $request $limit) }}
{{- end }}
{{- end }}
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
{{- if not (has .name $volumes) }}{{ fail (printf "the container %s mounts the volume %s, which its pod does not have: add it to extraVolumes, or correct its name in the mount." $container.name .name) }}{{ end }}
{{- end }}
{{- end }}
{{- . }}
{{- end -}}

{{/* The number of a quantity, such as 1073741824 of 1Gi. */}}
{{- define "static-export-common.amount" -}}
{{- $number := toString . | regexFind "^[+]?[0-9.]+([eE][+-]?[0-9]+)?" -}}
{{- $factors := dict "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 -}}
{{- mulf ($number | float64) (toString . | trimPrefix $number | get $factors | default 1 | float64) -}}
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
