import unittest

from access import Access, AccessDenied
from folders import Folder
from groups import Groups


class AccessTest(unittest.TestCase):
    def setUp(self):
        groups = Groups()
        groups.join("ann", "staff")
        groups.join("bob", "staff")
        groups.join("bob", "guests")
        groups.join("staff", "everyone")
        self.groups = groups
        self.access = Access(groups)
        self.root = Folder("root")
        self.docs = Folder("docs", self.root)
        self.secret = Folder("secret", self.docs, inherit=False)

    def test_groups(self):
        self.assertEqual(self.groups.all_of("bob"), ["bob", "staff", "guests", "everyone"])

    def test_group_cycle(self):
        self.groups.join("everyone", "staff")
        self.assertEqual(self.groups.all_of("ann"), ["ann", "staff", "everyone"])

    def test_path(self):
        self.assertEqual(self.secret.path, "root/docs/secret")

    def test_nothing(self):
        self.assertFalse(self.access.is_allowed("ann", "read", self.docs))

    def test_unknown_right(self):
        with self.assertRaises(ValueError):
            self.access.is_allowed("ann", "fly", self.docs)

    def test_direct(self):
        self.docs.allow("ann", "read")
        self.assertTrue(self.access.is_allowed("ann", "read", self.docs))
        self.assertFalse(self.access.is_allowed("ann", "write", self.docs))

    def test_nested_group(self):
        self.docs.allow("everyone", "read")
        self.assertTrue(self.access.is_allowed("ann", "read", self.docs))
        self.assertFalse(self.access.is_allowed("eve", "read", self.docs))

    def test_inherited(self):
        self.root.allow("staff", "read")
        self.assertTrue(self.access.is_allowed("ann", "read", self.docs))
        self.assertFalse(self.access.is_allowed("ann", "read", self.secret))

    def test_nearer_folder_wins(self):
        self.root.deny("staff", "write")
        self.docs.allow("staff", "write")
        self.assertTrue(self.access.is_allowed("ann", "write", self.docs))
        self.assertFalse(self.access.is_allowed("ann", "write", self.root))

    def test_denied_in_second_group(self):
        self.docs.allow("staff", "delete")
        self.docs.deny("guests", "delete")
        self.assertTrue(self.access.is_allowed("ann", "delete", self.docs))
        self.assertFalse(self.access.is_allowed("bob", "delete", self.docs))

    def test_denied_user_in_allowed_group(self):
        self.docs.allow("staff", "read")
        self.docs.deny("ann", "read")
        self.assertFalse(self.access.is_allowed("ann", "read", self.docs))

    def test_require(self):
        with self.assertRaisesRegex(AccessDenied, "ann may not read root/docs"):
            self.access.require("ann", "read", self.docs)

    def test_rights(self):
        self.root.allow("everyone", "read")
        self.docs.allow("staff", "write")
        self.assertEqual(self.access.rights("bob", self.docs), ["read", "write"])
