{{/* The server for programs. It starts before nginx and ends after it, so that no request finds it missing. */}}
{{- define "documentation-site.answerContainer" -}}
{{- $answer := .Values.answer -}}
{{- $separator := include "documentation-site.groupsSeparator" . -}}
- name: answer
  image: {{ include "static-export-common.image" (list . $answer.image) | quote }}
  imagePullPolicy: {{ default .Values.image.pullPolicy $answer.image.pullPolicy | quote }}
  restartPolicy: Always
  args:
    - answer
    - /srv/site
    - --pod-files
    # Only nginx can reach it, because it trusts the headers that name the reader.
    - --host=127.0.0.1
    - --port=8788
    # nginx, and the proxy in front of it.
    - {{ printf "--proxies=%d" (ternary 2 1 (or .Values.ingress.enabled .Values.httpRoute.enabled)) | include "documentation-site.literal" }}
    {{- with $answer.domain }}
    - {{ printf "--domain=%s" . | include "documentation-site.literal" }}
    {{- end }}
    {{- if $separator }}
    - --user-header=X-Reader
    - --groups-header=X-Reader-Groups
    - {{ printf "--groups-separator=%s" $separator | include "documentation-site.literal" }}
    {{- end }}
    {{- with $answer.assistant }}
    {{- if .endpoint }}
    - {{ printf "--assistant-endpoint=%s" .endpoint | include "documentation-site.literal" }}
    - {{ printf "--assistant-model=%s" .model | include "documentation-site.literal" }}
    {{- with .support }}
    - {{ printf "--assistant-support=%s" . | include "documentation-site.literal" }}
    {{- end }}
    - {{ printf "--assistant-requests=%d" (int .requestsPerMinute) | include "documentation-site.literal" }}
    - {{ printf "--assistant-total=%d" (int .questionsPerHour) | include "documentation-site.literal" }}
    - {{ printf "--assistant-tokens=%d" (int .tokensPerAnswer) | include "documentation-site.literal" }}
    - {{ printf "--assistant-seconds=%d" (int .secondsPerAnswer) | include "documentation-site.literal" }}
    {{- if .logQuestions }}
    - --log-questions
    {{- end }}
    {{- end }}
    {{- end }}
  {{- with $answer.assistant.existingSecret }}
  env:
    - name: STATIC_EXPORT_ASSISTANT_API_KEY
      valueFrom: { secretKeyRef: { name: {{ . | quote }}, key: api-key } }
  {{- end }}
  # nginx starts after it, so that only the container itself can ask it. No readiness probe: without it, pages are served.
  startupProbe:
    exec:
      command: [node, -e, "fetch('http://127.0.0.1:8788/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
    periodSeconds: 1
    timeoutSeconds: 5
    failureThreshold: 60
  # Through nginx, by number: names of ports count in their own container only.
  livenessProbe:
    httpGet: { path: /_answer/livez, port: 8080 }
    initialDelaySeconds: 30
    periodSeconds: 20
    timeoutSeconds: 5
    failureThreshold: 6
  securityContext: {{- toYaml .Values.containerSecurityContext | nindent 4 }}
  resources: {{- toYaml $answer.resources | nindent 4 }}
  volumeMounts:
    - { name: site, mountPath: /srv/site, readOnly: true }
    - { name: answer-tmp, mountPath: /tmp }
{{- end -}}

{{/* nginx.conf, server: the addresses of the server for programs. */}}
{{- define "documentation-site.answerLocations" -}}
{{- $separator := include "documentation-site.groupsSeparator" . -}}
# The server for programs. A pod that is being replaced closes each connection with its response here, too.
location = /_answer/livez {
    access_log off;
    proxy_pass http://127.0.0.1:8788/livez;
}
location = /mcp {
    error_page 418 = @answer-everybody-draining;
    if (-f /tmp/draining) {
        return 418;
    }
    {{- include "documentation-site.passToAnswer" . | nindent 4 }}
}
location ~ ^/(?:authed/mcp$|v1/(?:search|page)/{{ if .Values.answer.assistant.endpoint }}|v2/assistant/{{ end }}) {
    error_page 418 = @answer-draining;
    if (-f /tmp/draining) {
        return 418;
    }
    {{- if $separator }}
    error_page 401 = @answer-everybody;
    {{- include "documentation-site.passToAnswerAsReader" . | nindent 4 }}
    {{- else }}
    {{- include "documentation-site.passToAnswer" . | nindent 4 }}
    {{- end }}
}
location @answer-draining {
    keepalive_timeout 0;
    {{- if $separator }}
    error_page 401 = @answer-everybody-draining;
    {{- include "documentation-site.passToAnswerAsReader" . | nindent 4 }}
    {{- else }}
    {{- include "documentation-site.passToAnswer" . | nindent 4 }}
    {{- end }}
}
{{- if $separator }}
location @answer-everybody {
    {{- include "documentation-site.passToAnswer" . | nindent 4 }}
}
{{- end }}
location @answer-everybody-draining {
    keepalive_timeout 0;
    {{- include "documentation-site.passToAnswer" . | nindent 4 }}
}
location @answer-missing {
    default_type application/json;
    return 503 '{"error":"The search for programs does not answer. Try again in a minute."}';
}
{{- end -}}

{{/* nginx.conf, a location: passes a request on without a reader. */}}
{{- define "documentation-site.passToAnswer" -}}
proxy_set_header X-Reader "";
proxy_set_header X-Reader-Groups "";
{{ include "documentation-site.passRequestToAnswer" . }}
{{- end -}}

{{/* nginx.conf, a location: passes a request on with the signed-in reader, or answers 401. */}}
{{- define "documentation-site.passToAnswerAsReader" -}}
auth_request /_private/-reader;
auth_request_set $reader {{ include "documentation-site.readerValue" . | quote }};
proxy_set_header X-Reader yes;
proxy_set_header X-Reader-Groups $reader;
{{ include "documentation-site.passRequestToAnswer" . }}
{{- end -}}

{{/* It gets no cookies or keys of readers, and no cache may store its answers. */}}
{{- define "documentation-site.passRequestToAnswer" -}}
proxy_set_header Cookie "";
proxy_set_header Authorization "";
proxy_set_header Host $http_host;
proxy_set_header Connection "";
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
{{- with .Values.answer.assistant }}
{{- if .endpoint }}
proxy_read_timeout {{ add (int .secondsPerAnswer) 10 }}s;
{{- end }}
{{- end }}
proxy_http_version 1.1;
proxy_buffering off;
client_max_body_size 8m;
client_body_buffer_size 256k;
error_page 502 504 = @answer-missing;
add_header Cache-Control no-store always;
add_header X-Content-Type-Options nosniff always;
proxy_pass http://127.0.0.1:8788;
{{- end -}}
