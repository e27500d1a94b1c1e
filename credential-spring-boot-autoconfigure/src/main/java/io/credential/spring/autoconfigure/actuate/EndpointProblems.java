package io.credential.spring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;

import io.credential.spring.web.CredentialExceptionHandler;

/**
 * Answers errors of an endpoint over HTTP as {@link CredentialExceptionHandler} does. Error handling of the application may not
 * apply there, for example at a management port.
 */
abstract class EndpointProblems implements OperationInvokerAdvisor {

    private final EndpointId endpoint;

    EndpointProblems(String endpoint) {
        this.endpoint = EndpointId.of(endpoint);
    }

    @Override
    public OperationInvoker apply(
            EndpointId invoked, OperationType type, OperationParameters parameters, OperationInvoker operation) {
        return invoked.equals(endpoint) ? context -> invoke(operation, context) : operation;
    }

    private @Nullable Object invoke(OperationInvoker operation, InvocationContext context) {
        try {
            return operation.invoke(context);
        } catch (RuntimeException e) {
            // Only calls over HTTP have a namespace.
            if (context.canResolve(WebServerNamespace.class)) {
                return problem(handle(e));
            }
            throw e;
        }
    }

    /** Answers an exception, or throws it if it is not expected. */
    abstract ResponseEntity<ProblemDetail> handle(RuntimeException exception);

    static boolean isOfDatabase(RuntimeException exception) {
        return exception instanceof DataAccessException || exception instanceof TransactionException;
    }

    /** Returns a map, because Actuator writes its responses with a mapper that does not know problem details. */
    static WebEndpointResponse<Object> problem(ResponseEntity<ProblemDetail> answer) {
        ProblemDetail problem = Objects.requireNonNull(answer.getBody());
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("title", Objects.requireNonNull(problem.getTitle()));
        members.put("status", problem.getStatus());
        members.put("detail", Objects.requireNonNull(problem.getDetail()));
        Map<String, Object> more = problem.getProperties();
        if (more != null) {
            members.putAll(more);
        }
        return new WebEndpointResponse<>(
                OperationResponseBody.of(members), problem.getStatus(), MediaType.APPLICATION_PROBLEM_JSON);
    }
}
