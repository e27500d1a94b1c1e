package io.credential.consumer.inspection;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;

/** Requests to an application that was {@link Started}. */
public final class Requests {

    private Requests() {}

    public static HttpResponse<String> get(
            ConfigurableApplicationContext application, String path, String header, String value) {
        return send(HttpRequest.newBuilder(url(application, path)).header(header, value));
    }

    public static HttpResponse<String> post(
            ConfigurableApplicationContext application, String path, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url(application, path)).POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return send(request);
    }

    private static URI url(ConfigurableApplicationContext application, String path) {
        return URI.create(
                "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
