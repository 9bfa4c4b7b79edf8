#!/bin/sh
# Runs in the web server's container before it is stopped. Traffic may still arrive while the pod's removal spreads
# through the cluster: keep answering, close each connection with its answer, and only then let nginx finish.
touch /tmp/draining
sleep "${DRAIN_SECONDS:-20}"
pid=$(cat /tmp/nginx.pid) || exit 0
# Not by the container's stop signal, which is a hard stop in images that do not set it to SIGQUIT.
kill -QUIT "$pid"
while kill -0 "$pid" 2> /dev/null; do sleep 1; done
