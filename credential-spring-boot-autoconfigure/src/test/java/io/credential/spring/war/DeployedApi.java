package io.credential.spring.war;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

import io.credential.testing.Patience;

/** Calls {@link WarApplication}. */
final class DeployedApi {

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Patience.LIMIT).build();
    private final Path directory;
    private final String root;

    /** @param directory where the application has written its tokens, and its server the port */
    DeployedApi(Path directory) throws IOException {
        this(directory, "http://localhost:" + Files.readString(directory.resolve(DeployedApplication.PORT)));
    }

    DeployedApi(Path directory, String root) {
        this.directory = directory;
        this.root = root;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** @param file the token */
    HttpResponse<String> get(String path, String file) throws IOException, InterruptedException {
        return send(request(path).header("X-API-Key", Files.readString(directory.resolve(file))));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path)).timeout(Patience.LIMIT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
