from lift.building import Building


def test_nearest_car_is_sent():
    house = Building(cars=2)
    house.cars[1].floor = 8
    assert house.call(7) is house.cars[1]


def test_display():
    house = Building(cars=2)
    house.call(2)
    assert house.display() == {"car1": "0 -> 2", "car2": "0"}


def test_log():
    house = Building(cars=1)
    house.call(1)
    house.call(3)
    house.tick(5)
    assert house.log.stops() == [1, 3]
    assert house.log.busiest() == 1
