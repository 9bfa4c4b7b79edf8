{{/* The separator between a reader's groups; empty if the site does not identify readers. */}}
{{- define "documentation-site.groupsSeparator" -}}
{{- if .Values.access.header.groups -}}
{{- .Values.access.header.separator -}}
{{- else if .Values.access.oidc.issuer -}}
{{- "," -}}
{{- end -}}
{{- end -}}

{{/* nginx's variable for a request header. */}}
{{- define "documentation-site.headerVariable" -}}
$http_{{ . | lower | replace "-" "_" }}
{{- end -}}

{{/* The request headers that an answer to a reader depends on, for Vary. */}}
{{- define "documentation-site.readerHeaders" -}}
{{- $header := .Values.access.header -}}
{{- $asksForPages := or $header.signInUrl .Values.access.oidc.issuer -}}
{{- compact (list "Cookie" $header.groups (ternary $header.user "" (ne $header.groups "")) (ternary "Accept" "" (ne $asksForPages ""))) | join ", " -}}
{{- end -}}

{{/* nginx.conf, http: maps from the request to its reader. */}}
{{- define "documentation-site.readerMaps" -}}
map "$request_method $http_accept" $wants_page {
    default "";
    "~^(?:GET|HEAD) .*text/html" yes;
}
{{- with .Values.access.header }}
{{- if .groups }}
{{- $groups := include "documentation-site.headerVariable" .groups }}
# nginx joins headers of the same name with ", ". One of them may be the visitor's own, so such a header is ignored.
map {{ $groups }} $groups_of_reader {
    default {{ $groups }};
    {{- if not (contains ", " .separator) }}
    "~, " "";
    {{- end }}
}
map "$groups_of_reader{{ with .user }}{{ include "documentation-site.headerVariable" . }}{{ end }}" $is_signed_in {
    "" "";
    default yes;
}
# Only characters that cannot end a query parameter.
map $request_uri $path_to_return_to {
    default "/";
    "~^(?<returned>/(?!/)(?:[A-Za-z0-9._~!@:/-]|%20|%[89A-Fa-f][0-9A-Fa-f])*)(?:\?|$)" $returned;
}
{{- end }}
{{- end }}
{{- end -}}

{{/* nginx.conf, a location: asks who the reader is, which sets $reader, or ends with 401. */}}
{{- define "documentation-site.askForReader" -}}
error_page 401 = @signed-out;
error_page 404 @not-found;
auth_request /_private/-reader;
auth_request_set $reader {{ include "documentation-site.readerValue" . | quote }};
{{- end -}}

{{/* The groups of the reader who was found, between separators. */}}
{{- define "documentation-site.readerValue" -}}
{{- $separator := include "documentation-site.groupsSeparator" . -}}
{{- $groups := ternary "$upstream_http_x_auth_request_groups" "$groups_of_reader" (eq .Values.access.header.groups "") -}}
{{- printf "%s%s%s" $separator $groups $separator -}}
{{- end -}}

{{/* nginx.conf, server: answers with a success for who is signed in, and with 401 for all others. */}}
{{- define "documentation-site.reader" -}}
location = /_private/-reader {
    internal;
    {{- if .Values.access.header.groups }}
    if ($is_signed_in) {
        return 204;
    }
    return 401;
    {{- else }}
    # A site without files for certain readers does not depend on the sign-in.
    if (!-d /srv/site/private) {
        return 401;
    }
    {{- include "documentation-site.passToSignIn" . | nindent 4 }}
    proxy_pass http://127.0.0.1:4180/oauth2/auth;
    {{- end }}
}
{{- if .Values.access.oidc.issuer }}
location ^~ /oauth2/ {
    {{- include "documentation-site.passToSignIn" . | nindent 4 }}
    proxy_pass http://127.0.0.1:4180;
}
location @start-sign-in {
    {{- include "documentation-site.passToSignIn" . | nindent 4 }}
    proxy_set_header X-Auth-Request-Redirect $request_uri;
    rewrite ^ /oauth2/start? break;
    proxy_pass http://127.0.0.1:4180;
}
{{- end }}
{{- end -}}

{{/* nginx.conf, a location: passes nothing of a visitor's request to oauth2-proxy but its address and cookies. */}}
{{- define "documentation-site.passToSignIn" -}}
proxy_pass_request_headers off;
proxy_pass_request_body off;
proxy_set_header Host $host;
proxy_set_header Content-Length "";
proxy_set_header Cookie $http_cookie;
proxy_redirect off;
# A session's groups may be many.
proxy_buffer_size 32k;
proxy_buffers 4 32k;
# It sends its own Cache-Control.
add_header X-Content-Type-Options nosniff always;
{{- end -}}

{{/* nginx.conf, @signed-out: leads readers of pages to where they can sign in. */}}
{{- define "documentation-site.signIn" -}}
{{- with .Values.access.header.signInUrl -}}
if ($wants_page) {
    return 302 {{ . | replace "{path}" "$path_to_return_to" | quote }};
}
{{- end -}}
{{- if .Values.access.oidc.issuer -}}
error_page 420 = @start-sign-in;
if ($wants_page) {
    return 420;
}
{{- end -}}
{{- end -}}

{{/* The container that signs readers in. It starts before nginx and ends after it, so that no request finds it missing. */}}
{{- define "documentation-site.signInContainer" -}}
{{- $oidc := .Values.access.oidc -}}
{{- $isSecure := hasPrefix "https://" $oidc.url -}}
- name: sign-in
  image: {{ include "static-export-common.image" (list . $oidc.image) | quote }}
  imagePullPolicy: {{ default .Values.image.pullPolicy $oidc.image.pullPolicy | quote }}
  restartPolicy: Always
  args:
    - --http-address=127.0.0.1:4180
    - --provider=oidc
    - {{ printf "--oidc-issuer-url=%s" $oidc.issuer | include "documentation-site.literal" }}
    - {{ printf "--client-id=%s" $oidc.clientId | include "documentation-site.literal" }}
    - {{ printf "--redirect-url=%s/oauth2/callback" (trimSuffix "/" $oidc.url) | include "documentation-site.literal" }}
    - {{ printf "--scope=%s" (join " " $oidc.scopes) | include "documentation-site.literal" }}
    - {{ printf "--oidc-groups-claim=%s" $oidc.groupsClaim | include "documentation-site.literal" }}
    # Readers are identified by their groups. Not every provider returns an e-mail address, or has verified it.
    - --oidc-email-claim=sub
    - --email-domain=*
    - --code-challenge-method=S256
    - --insecure-oidc-skip-nonce=false
    - {{ printf "--cookie-name=%sstatic-export" (ternary "__Host-" "" $isSecure) | include "documentation-site.literal" }}
    - {{ printf "--cookie-secure=%v" $isSecure | include "documentation-site.literal" }}
    - --cookie-samesite=lax
    - {{ printf "--cookie-expire=%dm" (int $oidc.sessionMinutes) | include "documentation-site.literal" }}
    # Nobody needs the tokens, and with them the cookie would be too long for some proxies.
    - --session-cookie-minimal=true
    - --set-xauthrequest=true
    - --skip-provider-button=true
    - --ping-path=/oauth2/ping
    # Addresses of a sign-in carry its one-time code.
    - --request-logging=false
    # nginx passes on only requests below /oauth2/.
    - --upstream=static://404
  env:
    {{- range $variable, $key := dict "OAUTH2_PROXY_CLIENT_SECRET" "client-secret" "OAUTH2_PROXY_COOKIE_SECRET" "cookie-secret" }}
    - name: {{ $variable }}
      valueFrom: { secretKeyRef: { name: {{ $oidc.existingSecret | quote }}, key: {{ $key }} } }
    {{- end }}
  # Through nginx: it listens on the pod's own loopback only. By number: names of ports count in their own container only.
  readinessProbe:
    httpGet: { path: /oauth2/ping, port: 8080 }
    periodSeconds: 2
    timeoutSeconds: 3
  securityContext: {{- toYaml .Values.containerSecurityContext | nindent 4 }}
  resources: {{- toYaml $oidc.resources | nindent 4 }}
{{- end -}}
