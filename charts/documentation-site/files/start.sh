#!/bin/sh
# Starts nginx. It listens on IPv6, too, unless the node's kernel has no IPv6.
for port in 8080 {{ .Values.metrics.port }}; do
    if [ -e /proc/net/if_inet6 ]; then echo "listen [::]:$port;"; fi > "/tmp/listen-$port.conf"
done
exec nginx -e stderr -c /etc/documentation-site/nginx.conf
