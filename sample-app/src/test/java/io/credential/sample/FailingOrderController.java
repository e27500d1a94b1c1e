package io.credential.sample;

import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.security.RequiresScope;

/** Places an order and then fails, for whoever wants to know what is left of it. */
@RestController
class FailingOrderController {

    private final Orders orders;

    FailingOrderController(Orders orders) {
        this.orders = orders;
    }

    @PostMapping("/test/failing-orders")
    @RequiresScope("orders:write")
    @Transactional
    public void placeAndFail() {
        orders.place("a kettle that nobody gets");
        throw new IllegalStateException("The order cannot be kept");
    }
}
