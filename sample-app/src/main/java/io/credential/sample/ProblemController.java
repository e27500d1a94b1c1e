package io.credential.sample;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.RequestDispatcher;

/**
 * Answers failures outside controllers, for example a URL that the firewall rejects, with problems like all other
 * errors.
 */
@RestController
class ProblemController implements ErrorController {

    @RequestMapping("${spring.web.error.path:/error}")
    ResponseEntity<ProblemDetail> error(
            @RequestAttribute(name = RequestDispatcher.ERROR_STATUS_CODE, required = false) @Nullable Integer status,
            @RequestAttribute(name = RequestDispatcher.ERROR_REQUEST_URI, required = false) @Nullable String uri) {
        HttpStatus code = status == null ? HttpStatus.NOT_FOUND : HttpStatus.valueOf(status);
        ProblemDetail problem = Problems.of(
                code,
                code.is5xxServerError()
                        ? "The request failed; the log says why"
                        : "The request was refused before it reached a controller");
        if (uri != null) {
            instance(uri).ifPresent(problem::setInstance);
        }
        return ResponseEntity.status(code).body(problem);
    }

    /** Not every path that a client sends is a URI, for example {@code //}. */
    private static Optional<URI> instance(String uri) {
        try {
            return Optional.of(new URI(uri));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
