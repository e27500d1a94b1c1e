package io.credential.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.RequestDispatcher;

/** Gives what fails outside of every controller, for example a URL that the firewall refuses, the form of all errors. */
@RestController
class ProblemController implements ErrorController {

    @RequestMapping("${spring.web.error.path:/error}")
    ResponseEntity<ProblemDetail> error(
            @RequestAttribute(name = RequestDispatcher.ERROR_STATUS_CODE, required = false) @Nullable Integer status) {
        HttpStatusCode code = HttpStatusCode.valueOf(status == null ? 404 : status);
        return ResponseEntity.status(code)
                .body(Problems.of(code, code.is5xxServerError() ? "This failed; the log says why" : "Refused"));
    }
}
