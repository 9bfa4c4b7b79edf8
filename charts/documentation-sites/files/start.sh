#!/bin/sh
# Starts nginx with the pod's own DNS servers, because a bucket's addresses change, and nginx reads no /etc/resolv.conf.
servers=$(awk '$1 == "nameserver" { print index($2, ":") ? "[" $2 "]" : $2 }' /etc/resolv.conf | tr '\n' ' ')
echo "resolver ${servers:-127.0.0.1} valid=30s;" > /tmp/resolver.conf
exec nginx -e stderr -c /etc/documentation-sites/nginx.conf
