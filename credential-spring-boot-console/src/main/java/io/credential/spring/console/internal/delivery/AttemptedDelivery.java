package io.credential.spring.console.internal.delivery;

import io.credential.spring.console.internal.web.Reply;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;

/** Leads to a delivery that an operator wanted to be attempted at once. */
public final class AttemptedDelivery {

    private AttemptedDelivery() {}

    /** Returns a redirect to the delivery, which says whether it was attempted: a limit of the endpoint may not permit it. */
    public static Reply reply(Delivery delivery) {
        boolean waits = delivery.status() == DeliveryStatus.PENDING && delivery.attempts() == 0;
        return Reply.redirect(
                DeliveriesSection.PATH + "/" + delivery.deliveryId(),
                waits
                        ? "The delivery is due and will be attempted in the background."
                        : "The delivery was attempted; the latest attempt is below.");
    }
}
