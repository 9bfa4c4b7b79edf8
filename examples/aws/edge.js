import cf from "cloudfront";

const store = cf.kvs();

// Reading a missing key throws an error.
async function read(key) {
    try {
        return await store.get(key);
    } catch (error) {
        return undefined;
    }
}

// A destination without a query gets the query of the request.
function withQuery(destination, querystring) {
    const pairs = Object.keys(querystring).map(function (name) {
        const found = querystring[name];
        return (found.multiValue || [found])
            .map(function (each) {
                return each.value === "" ? name : name + "=" + each.value;
            })
            .join("&");
    });
    return pairs.length === 0 || /[?#]/.test(destination) ? destination : destination + "?" + pairs.join("&");
}

// Finds the file of the live release. Runs at each request, even for files in the cache.
async function handler(event) {
    const request = event.request;
    const destination = await read("redirect:" + request.uri);
    if (destination !== undefined) {
        return {
            statusCode: 301,
            statusDescription: "Moved Permanently",
            headers: { location: { value: withQuery(destination, request.querystring) } },
        };
    }
    const release = await read("release");
    if (release === undefined) {
        const headers = { "retry-after": { value: "30" } };
        return { statusCode: 503, statusDescription: "Service Unavailable", headers };
    }
    if (request.uri.endsWith("/")) {
        request.uri += "index.html";
    } else if (!/\.[a-z][a-z\d]*$/i.test(request.uri)) {
        // The last part may contain a dot without being a file, such as "v1.2".
        request.uri += ".html";
    }
    request.uri = "/" + release + request.uri.slice(1);
    return request;
}
