#!/bin/sh
# Runs in the web server's container before it is stopped. Traffic may still arrive until all nodes know that the pod is
# being removed: nginx keeps responding, closes each connection after its response, and then stops gracefully.
touch /tmp/draining
sleep "${DRAIN_SECONDS:-20}"
pid=$(cat /tmp/nginx.pid) || exit 0
# SIGQUIT is graceful. The container's own stop signal may be a hard stop, depending on the image.
kill -QUIT "$pid"
while kill -0 "$pid" 2> /dev/null; do sleep 1; done
