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

// Finds the file of the live release. Runs at each request, even for files in the cache.
async function handler(event) {
    const request = event.request;
    const destination = await read("redirect:" + request.uri);
    if (destination !== undefined) {
        return {
            statusCode: 301,
            statusDescription: "Moved Permanently",
            headers: { location: { value: destination } },
        };
    }
    const release = await read("release");
    if (release === undefined) {
        const headers = { "retry-after": { value: "30" } };
        return { statusCode: 503, statusDescription: "Service Unavailable", headers };
    }
    if (request.uri.endsWith("/")) {
        request.uri += "index.html";
    } else if (!request.uri.slice(request.uri.lastIndexOf("/")).includes(".")) {
        request.uri += ".html";
    }
    request.uri = "/" + release + request.uri.slice(1);
    return request;
}
