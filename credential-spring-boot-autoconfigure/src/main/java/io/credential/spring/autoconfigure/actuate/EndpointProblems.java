package io.credential.spring.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.web.CredentialExceptionHandler;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * Answers errors of endpoints as {@link CredentialExceptionHandler} does, wherever Actuator runs. Error handling of the
 * application may not apply there, for example at a management port.
 */
final class EndpointProblems {

    private final CredentialExceptionHandler handler = new CredentialExceptionHandler();
    private final boolean ofApiKeys;

    private EndpointProblems(boolean ofApiKeys) {
        this.ofApiKeys = ofApiKeys;
    }

    static EndpointProblems ofApiKeys() {
        return new EndpointProblems(true);
    }

    static EndpointProblems ofWebhooks() {
        return new EndpointProblems(false);
    }

    WebEndpointResponse<Object> answer(Supplier<? extends OperationResponseBody> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (NotLeaderException e) {
            return problem(handler.handle(e));
        } catch (ApiKeyException e) {
            return problem(handler.handle(e));
        } catch (WebhookDispatcherException e) {
            return problem(handler.handle(e));
        } catch (DataAccessException | TransactionException e) {
            return problem(
                    ofApiKeys
                            ? handler.handle(ApiKeyException.ofDatabase(e))
                            : handler.handle(WebhookDispatcherException.ofDatabase(e)));
        }
    }

    /** Returns a map, because Actuator writes its responses with a mapper that does not know problem details. */
    private static WebEndpointResponse<Object> problem(ResponseEntity<ProblemDetail> answer) {
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
