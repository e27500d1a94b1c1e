package io.credential.spring.webhook;

import java.util.function.Consumer;
import java.util.function.Function;

/** The two ways in which the checks of a signature can end. */
record PresentedCheck(Function<byte[], Object> verifying, Consumer<String> abandoning)
        implements SignatureCheck.BodyCheck {

    @Override
    public Object verify(byte[] body) {
        return verifying.apply(body);
    }

    @Override
    public void abandon(String reason) {
        abandoning.accept(reason);
    }
}
