#!/bin/sh
# Starts nginx with the pod's own DNS servers, because a bucket's addresses change, and nginx reads no /etc/resolv.conf.
# It listens on IPv6, too, unless the node's kernel has no IPv6.
servers=$(awk '$1 == "nameserver" { print index($2, ":") ? "[" $2 "]" : $2 }' /etc/resolv.conf | tr '\n' ' ')
echo "resolver ${servers:-127.0.0.1} valid=30s;" > /tmp/resolver.conf
for port in 8080 {{ .Values.metrics.port }}; do
    if [ -e /proc/net/if_inet6 ]; then echo "listen [::]:$port;"; fi > "/tmp/listen-$port.conf"
done
exec nginx -e stderr -c /etc/documentation-sites/nginx.conf
